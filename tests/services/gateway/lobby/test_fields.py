from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import REASON_FIELD_INVALID, REASON_MATCH_NOT_FOUND
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE, VISIBILITY_PUBLIC, VISIBILITY_UNSPECIFIED, TimeControl
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from core.log.keys import is_match_id, match_id_for
from services.gateway import fields


def refusal(check: Callable[[Any], object], value: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        check(value)
    return refused.value


@given(st.text(max_size=100))
def test_request_ids_have_1_to_64_characters(text: str) -> None:
    if 1 <= len(text) <= 64:
        assert fields.request_id(text) == text
    else:
        assert refusal(fields.request_id, text).metadata["field"] == "request_id"


@given(st.text(max_size=30) | st.from_regex(r"[0-9]{2}[a-z2-7]{16}", fullmatch=True))
def test_what_has_not_the_form_of_a_match_id_is_no_match(text: str) -> None:
    if is_match_id(text):
        assert fields.match_id(text) == text
    else:
        wanted = REASON_MATCH_NOT_FOUND if text else REASON_FIELD_INVALID
        assert refusal(fields.match_id, text).reason == wanted
    assert fields.match_id(match_id_for(text)) == match_id_for(text)


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
def test_clocks_have_their_ranges(initial_ms: int, increment_ms: int) -> None:
    control = TimeControl(initial_ms=initial_ms, increment_ms=increment_ms)
    if 1_000 <= initial_ms <= 604_800_000 and increment_ms <= 86_400_000:
        assert fields.time_control(control) == control
    else:
        assert refusal(fields.time_control, control).metadata["field"].startswith("time_control.")


@pytest.mark.parametrize("milliseconds", [(1_000, 0), (604_800_000, 86_400_000)])
def test_the_ends_of_the_ranges_are_within(milliseconds: tuple[int, int]) -> None:
    control = TimeControl(initial_ms=milliseconds[0], increment_ms=milliseconds[1])
    assert fields.time_control(control) == control


def test_pages_have_1_to_100_entries_and_20_by_default() -> None:
    assert [fields.page_size(size) for size in (0, 1, 100)] == [20, 1, 100]
    assert refusal(fields.page_size, 101).metadata["field"] == "page_size"


def test_entropy_has_at_most_32_bytes() -> None:
    assert fields.entropy(bytes(32)) == bytes(32)
    assert refusal(fields.entropy, bytes(33)).metadata["field"] == "entropy"


def test_a_match_is_public_unless_it_is_said_to_be_private() -> None:
    assert fields.visibility(VISIBILITY_UNSPECIFIED) == VISIBILITY_PUBLIC
    assert fields.visibility(VISIBILITY_PRIVATE) == VISIBILITY_PRIVATE
    assert refusal(fields.visibility, 9).metadata["field"] == "visibility"


def test_a_refusal_does_not_repeat_what_came() -> None:
    assert "s3cret" not in str(refusal(fields.request_id, "s3cret" * 20))
