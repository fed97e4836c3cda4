from __future__ import annotations

from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.match.v1 import match_pb2

from engines.coerceo.game import GAME as COERCEO
from engines.kit.host import reads
from tests.support.refusals import reason
from tests.support.replicas import Replica, StartEngine

OPENING = ("d1e-d1a", "b4b-b4f", "d4a-c5c", "b1d-b1f")
READS = ("GetMatch", "GetView", "ListChoices")


@pytest.fixture(autouse=True)
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a replica has looked up once is fresh enough for whoever knows nothing, however slow the machine."""
    monkeypatch.setattr(reads, "FRESH_S", 60.0)


async def read(replica: Replica, method: str, match_id: str, handle: str, known: match_pb2.Cursor | None = None) -> Any:
    message = getattr(engine_pb2, f"{method}Request")(match_id=match_id, known=known)
    if method != "GetMatch":
        message.handle = handle
    return await replica.call(method, message)


def head_of(answer: Any) -> Any:
    match answer:
        case engine_pb2.GetMatchResponse():
            return answer.match.head
        case engine_pb2.GetViewResponse():
            return answer.view.cursor
        case _:
            return answer.cursor


@pytest.mark.parametrize("method", READS)
async def test_a_match_is_told_at_least_as_new_as_its_reader_knows_it_by_another_replica(
    start_engine: StartEngine, method: str
) -> None:
    first, second = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await first.create()
    seq = 4
    for number, move in enumerate(OPENING):
        mover, other = ("ann", "bob") if number % 2 == 0 else ("bob", "ann")
        await read(second, method, match_id, other)
        known = (await first.move(match_id, mover, seq, move)).cursor
        assert head_of(await read(second, method, match_id, other)).seq == seq
        answer = await read(second, method, match_id, other, known)
        assert head_of(answer) == known
        if method == "ListChoices":
            assert answer.choices
        seq = known.seq


async def test_a_step_and_events_that_their_reader_has_seen_are_told_by_another_replica(
    start_engine: StartEngine,
) -> None:
    first, second = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await first.create()
    await read(second, "GetView", match_id, "ann")
    seen = (await first.move(match_id, "ann", 4, OPENING[0])).cursor
    step = await second.call("GetStep", engine_pb2.GetStepRequest(match_id=match_id, handle="ann", seq=seen.seq))
    assert step.step.told.cursor == seen

    seen = (await first.move(match_id, "bob", 5, OPENING[1])).cursor
    asked = engine_pb2.ListEventsRequest(match_id=match_id, handle="ann", after_seq=seen.seq, limit=9)
    assert (await second.call("ListEvents", asked)).head == seen


@pytest.mark.parametrize("method", READS)
@pytest.mark.parametrize(("ahead", "expected"), [(0, "HASH_MISMATCH"), (1, "LOG_LOST_TAIL")])
async def test_what_a_reader_knows_and_the_log_does_not_is_told(
    start_engine: StartEngine, method: str, ahead: int, expected: str
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    known = match_pb2.Cursor(seq=4 + ahead, hash=bytes(16))
    assert await reason(read(replica, method, match_id, "ann", known)) == expected
