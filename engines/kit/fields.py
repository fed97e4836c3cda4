"""Bounds of what engines are asked for: gateways hold them too, but an engine trusts no caller with its log."""

from __future__ import annotations

from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.bounds import MOST_ENTROPY, MOST_ID
from core.errors import Refused
from core.log.keys import is_match_id


def wrong(field: str, expected: str) -> Refused:
    """FIELD_INVALID. It does not repeat what came: that may be long, or a secret."""
    return Refused(
        error_pb2.REASON_FIELD_INVALID,
        f"The field {field} does not fit; it must be {expected}.",
        {"field": field, "expected": expected},
    )


def require_ids(handle: str, request_id: str) -> None:
    """Who asks, and by which request id: 1 to 64 characters each. Raises FIELD_INVALID."""
    if not 1 <= len(request_id) <= MOST_ID:
        raise wrong("request_id", f"1 to {MOST_ID} characters, new for each new request; a UUID does")
    if not 1 <= len(handle) <= MOST_ID:
        raise wrong("handle", f"1 to {MOST_ID} characters")


def require_match_id(value: str) -> None:
    """The id of a match that is to be. Raises FIELD_INVALID."""
    if not is_match_id(value):
        raise wrong("match_id", "two digits 00 to 63 and 16 of a-z, 2-7")


def require_entropy(value: bytes) -> None:
    """What a seat adds to the seed: at most 32 bytes. Raises FIELD_INVALID."""
    if len(value) > MOST_ENTROPY:
        raise wrong("entropy", f"at most {MOST_ENTROPY} bytes")


def require_visibility(value: event_pb2.Visibility.ValueType) -> None:
    """Who may find a match; unspecified means public. Raises FIELD_INVALID."""
    if value not in event_pb2.Visibility.values():
        raise wrong("visibility", "VISIBILITY_PUBLIC or VISIBILITY_PRIVATE")
