"""Page tokens: a place in one list, sealed so that only what this method gave is taken back."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Sequence
from typing import Final

from hamle.error.v1.error_pb2 import REASON_PAGE_TOKEN_INVALID

from core.errors import Refused
from core.log.keys import is_match_id
from services.gateway.players.index import Place

PURPOSE: Final = "lobby page tokens"
"""What the secrets are derived for."""

_SEAL_BYTES: Final = 12


def page_token(secret: bytes, query: str, last: Place) -> str:
    """A token for the page after `last`, good for the same query only."""
    place = last.at_ms.to_bytes(8, "big") + last.match_id.encode()
    return base64.urlsafe_b64encode(_seal(secret, query, place) + place).decode().rstrip("=")


def place_of(secrets: Sequence[bytes], query: str, token: str) -> Place | None:
    """Where the page begins that the token is for; None: at the beginning. Raises `Refused`: PAGE_TOKEN_INVALID."""
    if not token:
        return None
    try:
        data = base64.b64decode(token.encode("ascii") + b"=" * (-len(token) % 4), b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise _invalid() from None
    seal, place = data[:_SEAL_BYTES], data[_SEAL_BYTES:]
    if not any(hmac.compare_digest(seal, _seal(secret, query, place)) for secret in secrets):
        raise _invalid()
    match_id = place[8:].decode()
    assert is_match_id(match_id)
    return Place(int.from_bytes(place[:8], "big"), match_id)


def _seal(secret: bytes, query: str, place: bytes) -> bytes:
    return hmac.digest(secret, query.encode() + b"\0" + place, hashlib.sha256)[:_SEAL_BYTES]


def _invalid() -> Refused:
    return Refused(
        REASON_PAGE_TOKEN_INVALID,
        "the page token is not one that this list gave for the same filters; leave it empty to begin again",
    )
