"""What an engine counts is what it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hamle.engine.v1 import engine_pb2

from core.telemetry.metrics import MOVES, REGISTRY
from engines.coerceo.game import GAME as COERCEO
from tests.engines.kit.host.test_short_way import FIRST, SECOND, Stream
from tests.engines.kit.host.test_watching import frames, watch
from tests.support.loglines import LogLines, log_lines
from tests.support.refusals import reason
from tests.support.replicas import StartEngine
from tests.support.servers import StoreServer
from tests.support.waiting import until

__all__ = ["log_lines"]


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


def lag_s() -> float:
    value = REGISTRY.get_sample_value("hamle_feed_lag_seconds")
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("away", "back"), [(StoreServer.kill, StoreServer.start), (StoreServer.pause, StoreServer.resume)]
)
async def test_the_feeds_lag_grows_while_the_store_is_away_and_is_over_when_it_is_back(
    start_engine: StartEngine,
    start_server: Callable[..., StoreServer],
    log_lines: LogLines,
    away: Callable[[StoreServer], None],
    back: Callable[[StoreServer], None],
) -> None:
    server = start_server()
    replica = await start_engine(COERCEO, over=server)
    # What nobody watches is not followed.
    watching = watch(replica, await replica.create())
    await frames(watching, 6)
    await until(lambda: lag_s() < 1)
    away(server)
    await until(lambda: lag_s() > 2)
    back(server)
    await until(lambda: lag_s() < 1)
    watching.cancel()
    told = [line["event"] for line in log_lines("") if line["event"] in ("following paused", "following again")]
    assert told in (["following paused", "following again"], [])
    assert told or away is StoreServer.pause
