from __future__ import annotations

from hamle.engine.v1.engine_pb2 import Call, ExchangeRequest, ExecuteRequest, Submit
from hamle.match.v1.match_pb2 import Cursor
from hypothesis import given
from hypothesis import strategies as st

from services.gateway.exchange import wire
from services.gateway.play.encode import submission

TEXT = st.text(max_size=300)


@given(TEXT, TEXT, TEXT, st.integers(0, 2**63 - 1), st.binary(max_size=300), st.lists(TEXT, max_size=64))
def test_a_move_made_by_hand_reads_as_the_message(
    match_id: str, handle: str, request_id: str, seq: int, state_hash: bytes, moves: list[str]
) -> None:
    expected = Cursor(seq=seq, hash=state_hash)
    execute = ExecuteRequest(
        match_id=match_id, handle=handle, request_id=request_id, expected=expected, submit=Submit(moves=moves)
    )
    payload = submission(match_id, handle, request_id, expected.SerializeToString(), moves)
    batch = wire.call(5, 70, wire.traced(payload, b"t" * 16))
    call = Call(id=5, timeout_ms=70, trace=b"t" * 16, execute=execute)
    assert ExchangeRequest.FromString(batch) == ExchangeRequest(calls=[call])
