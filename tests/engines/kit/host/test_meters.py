"""What an engine counts is what it was."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2

from core.telemetry.metrics import MOVES
from engines.coerceo.game import GAME as COERCEO
from tests.engines.kit.host.test_short_way import FIRST, SECOND, Stream
from tests.support.refusals import reason
from tests.support.replicas import StartEngine


async def test_only_calls_that_submit_moves_count_as_moves(start_engine: StartEngine) -> None:
    results = ("accepted", "repeated", "not_your_turn", "nothing_to_undo", "match_finished")
    before = {result: MOVES.labels("coerceo", result).value for result in results}
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    stream = Stream(replica)
    again = stream.move(match_id, "ann", 4, FIRST)
    assert await stream.answers(stream.move(match_id, "ann", 4, FIRST), again) == [(5, ""), (5, "")]
    await replica.move(match_id, "bob", 5, SECOND)
    assert await reason(replica.move(match_id, "bob", 6, FIRST)) == "NOT_YOUR_TURN"
    for request_id in ("resign", "again"):
        resign = engine_pb2.ExecuteRequest(match_id=match_id, handle="ann", request_id=request_id)
        resign.resign.SetInParent()
        if request_id == "resign":
            await replica.call("Execute", resign)
        else:
            assert await reason(replica.call("Execute", resign)) == "MATCH_FINISHED"
    counted = {result: MOVES.labels("coerceo", result).value - value for result, value in before.items()}
    assert counted == {"accepted": 2, "repeated": 1, "not_your_turn": 1, "nothing_to_undo": 0, "match_finished": 0}
