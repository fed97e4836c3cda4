from __future__ import annotations

import pytest
from hamle.error.v1.error_pb2 import REASON_HASH_MISMATCH, REASON_LOG_LOST_TAIL, Reason
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from core.log.cursor import Verdict, check_cursor, judge_cursor
from core.log.types import START, Cursor
from tests.core.log.logs import digest

HEAD = Cursor(5, digest(5))
CURSORS = st.builds(Cursor, st.integers(0, 2**64 - 1), st.binary(max_size=20))


@pytest.mark.parametrize(
    ("cursor", "head", "stored", "verdict"),
    [
        (START, START, b"", Verdict.OK),
        (START, HEAD, b"", Verdict.OK),
        (Cursor(3, digest(3)), HEAD, digest(3), Verdict.OK),
        (HEAD, HEAD, digest(5), Verdict.OK),
        (Cursor(3), HEAD, digest(3), Verdict.OK),
        (Cursor(5), HEAD, digest(5), Verdict.OK),
        (Cursor(6, digest(6)), HEAD, b"", Verdict.LOST_TAIL),
        (Cursor(6), HEAD, b"", Verdict.LOST_TAIL),
        (Cursor(1, digest(1)), START, b"", Verdict.LOST_TAIL),
        (Cursor(3, digest(3, "other")), HEAD, digest(3), Verdict.HASH_MISMATCH),
        (Cursor(5, digest(5, "other")), HEAD, digest(5), Verdict.HASH_MISMATCH),
        (Cursor(3, b"short"), HEAD, digest(3), Verdict.HASH_MISMATCH),
        (Cursor(0, digest(0)), HEAD, b"", Verdict.HASH_MISMATCH),
    ],
)
def test_a_cursor_is_judged_by_seq_and_hash(cursor: Cursor, head: Cursor, stored: bytes, verdict: Verdict) -> None:
    assert judge_cursor(cursor, head, stored) is verdict


@given(CURSORS, CURSORS, st.binary(max_size=20))
def test_every_cursor_gets_one_verdict(cursor: Cursor, head: Cursor, stored: bytes) -> None:
    verdict = judge_cursor(cursor, head, stored)
    assert (verdict is Verdict.LOST_TAIL) == (cursor.seq > head.seq)
    if verdict is Verdict.OK:
        check_cursor(cursor, head, stored)
    else:
        with pytest.raises(Refused):
            check_cursor(cursor, head, stored)


@pytest.mark.parametrize(
    ("cursor", "reason"),
    [(Cursor(9, digest(9)), REASON_LOG_LOST_TAIL), (Cursor(5, digest(9)), REASON_HASH_MISMATCH)],
)
def test_a_refusal_says_where_the_caller_and_the_log_stand(cursor: Cursor, reason: Reason.ValueType) -> None:
    with pytest.raises(Refused) as refused:
        check_cursor(cursor, HEAD, HEAD.hash)
    assert refused.value.reason == reason
    assert refused.value.metadata == {"seq": str(cursor.seq), "head_seq": "5"}
