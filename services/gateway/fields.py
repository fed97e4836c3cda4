"""Checks of the fields of requests; what does not fit is FIELD_INVALID, with the field and what was expected."""

from __future__ import annotations

import unicodedata
from typing import Final

from hamle.error.v1.error_pb2 import REASON_FIELD_INVALID, REASON_MATCH_NOT_FOUND
from hamle.event.v1.event_pb2 import TimeControl, Visibility

from core.bounds import INCREMENT_MS, INITIAL_MS, MOST_ENTROPY, MOST_ID
from core.errors import Refused
from core.log.keys import is_match_id

MOST_NAME: Final = 32
_LONGEST_NAME: Final = 8 * MOST_NAME
MOST_PAGE: Final = 100
DEFAULT_PAGE: Final = 20

# Control, format (direction marks are among them), surrogate, private use, unassigned, line and paragraph ends.
_UNPRINTABLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def wrong(field: str, expected: str) -> Refused:
    """The refusal of a field. It does not repeat what came: that may be long, or a secret."""
    return Refused(
        REASON_FIELD_INVALID,
        f"the field `{field}` does not fit; expected {expected}",
        {"field": field, "expected": expected},
    )


def request_id(value: str) -> str:
    """A request id: 1 to 64 characters."""
    if not 1 <= len(value) <= MOST_ID:
        raise wrong("request_id", f"1 to {MOST_ID} characters, new for each new request; a UUID does")
    return value


def name(value: str) -> str:
    """A name to show to others, without the spaces around it, in the form NFC: 1 to 32 printable characters."""
    # What is far too long is not looked at: to put a long row of marks in order takes the square of its length.
    tidy = unicodedata.normalize("NFC", value).strip() if len(value) <= _LONGEST_NAME else ""
    marks = 0
    for character in tidy:
        category = unicodedata.category(character)
        # Piled-up marks would reach over the lines above and below.
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if category in _UNPRINTABLE or marks > 2:
            tidy = ""
            break
    if not 1 <= len(tidy) <= MOST_NAME:
        raise wrong("name", f"1 to {MOST_NAME} printable characters, no control or direction characters; or empty")
    return tidy


def match_id(value: str) -> str:
    """An id of the form that match ids have. Raises `Refused`: FIELD_INVALID when empty, else MATCH_NOT_FOUND."""
    if not value:
        raise wrong("match_id", "the id of a match, as CreateMatch and ListMatches give it")
    if not is_match_id(value):
        raise no_match(value)
    return value


def no_match(value: str) -> Refused:
    """The refusal of a match that there is not."""
    shown = value[:40]
    return Refused(
        REASON_MATCH_NOT_FOUND,
        f"there is no match {shown!r}; it may have expired unstarted; ListMatches lists those that wait or are played",
        {"match_id": shown},
    )


def entropy(value: bytes) -> bytes:
    """What a seat adds to the seed: at most 32 bytes."""
    if len(value) > MOST_ENTROPY:
        raise wrong("entropy", f"at most {MOST_ENTROPY} bytes")
    return value


def page_size(value: int) -> int:
    """How many to list: 1 to 100; 0 means 20."""
    if value > MOST_PAGE:
        raise wrong("page_size", f"1 to {MOST_PAGE}, or 0 for {DEFAULT_PAGE}")
    return value or DEFAULT_PAGE


def visibility(value: Visibility.ValueType) -> Visibility.ValueType:
    """Who may find a match; unspecified means public."""
    if value not in Visibility.values():
        raise wrong("visibility", "VISIBILITY_PUBLIC or VISIBILITY_PRIVATE")
    return value or Visibility.VISIBILITY_PUBLIC


def time_control(value: TimeControl) -> TimeControl:
    """Clocks: both times within their ranges."""
    if not INITIAL_MS[0] <= value.initial_ms <= INITIAL_MS[1]:
        raise wrong("time_control.initial_ms", f"{INITIAL_MS[0]} to {INITIAL_MS[1]} ms, or no time_control at all")
    if not INCREMENT_MS[0] <= value.increment_ms <= INCREMENT_MS[1]:
        raise wrong("time_control.increment_ms", f"{INCREMENT_MS[0]} to {INCREMENT_MS[1]} ms")
    return value
