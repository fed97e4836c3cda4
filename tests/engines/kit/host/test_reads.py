from __future__ import annotations

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.match.v1 import match_pb2

from engines.coerceo.game import GAME as COERCEO
from tests.support.refusals import reason
from tests.support.replicas import StartEngine

OPENING = ("d1e-d1a", "b4b-b4f", "d4a-c5c", "b1d-b1f")


async def test_a_match_is_shown_at_least_as_new_as_its_reader_knows_it_by_another_replica(
    start_engine: StartEngine,
) -> None:
    first, second = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await first.create()
    seq = 4
    for number, move in enumerate(OPENING):
        # What the second one has just looked up is fresh enough for whoever knows nothing.
        await second.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))
        known = (await first.move(match_id, ("ann", "bob")[number % 2], seq, move)).cursor
        answer = await second.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id, known=known))
        assert answer.match.head == known
        seq = known.seq


@pytest.mark.parametrize(("ahead", "expected"), [(0, "HASH_MISMATCH"), (1, "LOG_LOST_TAIL")])
async def test_what_a_reader_knows_and_the_log_does_not_is_told(
    start_engine: StartEngine, ahead: int, expected: str
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    known = match_pb2.Cursor(seq=4 + ahead, hash=bytes(16))
    request = engine_pb2.GetMatchRequest(match_id=match_id, known=known)
    assert await reason(replica.call("GetMatch", request)) == expected
