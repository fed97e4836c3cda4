from __future__ import annotations

import pytest
from hamle.error.v1.error_pb2 import REASON_PAGE_TOKEN_INVALID
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from core.log.keys import match_id_for
from services.gateway.lobby.pages import page_token, place_of
from services.gateway.players.index import Place

OLD, NEW = b"o" * 32, b"n" * 32
PLACE = Place(1_800_000_000_000, match_id_for("page"))


@given(st.integers(0, 2**63), st.text(), st.text())
def test_a_token_is_good_for_its_own_list_and_no_other(at_ms: int, query: str, other: str) -> None:
    place = Place(at_ms, match_id_for(query))
    token = page_token(NEW, query, place)
    assert place_of([NEW], query, token) == place
    assert place_of([NEW], query, "") is None
    if other != query:
        with pytest.raises(Refused):
            place_of([NEW], other, token)


def test_a_token_outlives_a_rotation_of_keys() -> None:
    token = page_token(OLD, "q", PLACE)
    assert place_of([NEW, OLD], "q", token) == PLACE
    with pytest.raises(Refused):
        place_of([NEW], "q", token)


@given(st.integers(0, 1000), st.integers(1, 127))
def test_a_changed_token_is_refused(place: int, by: int) -> None:
    token = page_token(NEW, "q", PLACE)
    place %= len(token) - 1
    changed = token[:place] + chr((ord(token[place]) + by) % 128) + token[place + 1 :]
    with pytest.raises(Refused) as refused:
        place_of([NEW], "q", changed)
    assert refused.value.reason == REASON_PAGE_TOKEN_INVALID


@given(st.text(min_size=1))
def test_arbitrary_text_is_no_token(text: str) -> None:
    with pytest.raises(Refused) as refused:
        place_of([NEW], "q", text)
    assert refused.value.reason == REASON_PAGE_TOKEN_INVALID
