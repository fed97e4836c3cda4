from __future__ import annotations

import pytest
from hamle.error.v1.error_pb2 import Reason
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from services.gateway.replay.pages import page_start, page_token

MATCH = "07aaaaaaaaaaaaaaaa"
SEQS = st.integers(0, 2**63 - 1)


def refused(match_id: str, after_seq: int, token: str) -> bool:
    with pytest.raises(Refused) as refusal:
        page_start(match_id, after_seq, token)
    return bool(refusal.value.reason == Reason.REASON_PAGE_TOKEN_INVALID)


@given(SEQS, SEQS)
def test_a_token_leads_to_where_its_page_ended(after_seq: int, last_seq: int) -> None:
    assert page_start(MATCH, after_seq, page_token(MATCH, after_seq, last_seq)) == last_seq


@given(SEQS)
def test_without_a_token_the_first_page_begins(after_seq: int) -> None:
    assert page_start(MATCH, after_seq, "") == after_seq


def test_a_token_of_another_match_or_question_is_refused() -> None:
    token = page_token(MATCH, 3, 10)
    assert refused("08aaaaaaaaaaaaaaaa", 3, token)
    assert refused(MATCH, 4, token)


@given(st.text(min_size=1, max_size=40))
def test_any_other_text_is_refused(token: str) -> None:
    assert refused(MATCH, 0, token)


@pytest.mark.parametrize("at", range(12))
def test_an_altered_token_is_refused(at: int) -> None:
    token = page_token(MATCH, 3, 10)
    altered = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
    assert refused(MATCH, 3, altered)
