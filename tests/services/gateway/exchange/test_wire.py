from __future__ import annotations

import pytest
from hamle.engine.v1.engine_pb2 import Call, ExchangeRequest, ExecuteRequest, GetViewRequest, Submit, WatchMatchRequest
from hamle.match.v1.match_pb2 import Cursor, Frame, Heartbeat, Joined, Moved, Step, View
from hamle.play.v1.play_pb2 import WatchMatchResponse
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.exchange import wire

NUMBERS = st.integers(0, 2**63 - 1)


@given(st.lists(st.tuples(NUMBERS, st.integers(0, 2**32 - 1), st.binary(max_size=16), st.text(max_size=300))))
def test_batch_made_by_hand_reads_as_the_message(calls: list[tuple[int, int, bytes, str]]) -> None:
    batch, expected = b"", ExchangeRequest()
    for call_id, timeout_ms, trace, move in calls:
        execute = ExecuteRequest(match_id="07abc", handle="h", request_id="r", submit=Submit(moves=[move]))
        payload = wire.payload(wire.EXECUTE, execute.SerializeToString(), trace)
        batch += wire.call(call_id, timeout_ms, payload)
        expected.calls.append(Call(id=call_id, timeout_ms=timeout_ms, trace=trace, execute=execute))
    assert ExchangeRequest.FromString(batch) == expected


@given(NUMBERS)
def test_unwatch_reads_as_the_message(call_id: int) -> None:
    assert ExchangeRequest.FromString(wire.unwatch(call_id)) == ExchangeRequest(calls=[Call(unwatch=call_id)])


@pytest.mark.parametrize(
    ("kind", "message", "expected"),
    [
        (wire.GET_VIEW, GetViewRequest(match_id="m"), Call(get_view=GetViewRequest(match_id="m"))),
        (wire.WATCH, WatchMatchRequest(match_id="m"), Call(watch=WatchMatchRequest(match_id="m"))),
    ],
)
def test_each_kind_of_call_has_its_own_field(
    kind: bytes, message: GetViewRequest | WatchMatchRequest, expected: Call
) -> None:
    batch = wire.call(0, 0, wire.payload(kind, message.SerializeToString()))
    assert ExchangeRequest.FromString(batch) == ExchangeRequest(calls=[expected])


@pytest.mark.parametrize("size", [0, 1, 90, 200, 20_000])
@pytest.mark.parametrize("kind", ["joined", "step", "view", "heartbeat", "moved"])
def test_the_kind_of_a_frame_is_told_without_reading_it(kind: str, size: int) -> None:
    cursor = Cursor(seq=3, hash=b"x" * size)
    whats = {
        "joined": Frame(joined=Joined(watchers=size)),
        "step": Frame(step=Step(view=View(cursor=cursor))),
        "view": Frame(view=View(cursor=cursor)),
        "heartbeat": Frame(heartbeat=Heartbeat(head=cursor)),
        "moved": Frame(moved=Moved(cursor=cursor)),
    }
    assert wire.frame_kind(WatchMatchResponse(frame=whats[kind]).SerializeToString()) == kind


@given(st.binary(max_size=40))
def test_bytes_that_are_no_frame_do_no_harm(data: bytes) -> None:
    assert wire.frame_kind(data) in {"", "joined", "step", "view", "heartbeat", "moved"}


def test_a_frame_that_holds_nothing_has_no_kind() -> None:
    assert wire.frame_kind(WatchMatchResponse(frame=Frame()).SerializeToString()) == ""
