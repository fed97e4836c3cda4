"""Page tokens of ListEvents: the seq after which the page begins, good for one match and one question only."""

from __future__ import annotations

import base64
import binascii
from hashlib import blake2b
from typing import Final

from hamle.error.v1.error_pb2 import REASON_PAGE_TOKEN_INVALID

from core.errors import Refused

_SEQ_BYTES: Final = 8
_CHECK_BYTES: Final = 8


def page_token(match_id: str, after_seq: int, last_seq: int) -> str:
    """The token of the page after `last_seq`, for who asked for the match's events after `after_seq`."""
    place = last_seq.to_bytes(_SEQ_BYTES, "big")
    return base64.urlsafe_b64encode(place + _check(match_id, after_seq, place)).decode()


def page_start(match_id: str, after_seq: int, token: str) -> int:
    """The seq after which the page begins; an empty token means the first page. Raises PAGE_TOKEN_INVALID.

    The check keeps apart what belongs apart; it is no seal, since whoever may ask here may ask for any seq.
    """
    if not token:
        return after_seq
    try:
        data = base64.b64decode(token.encode("ascii"), b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise _invalid() from None
    place, check = data[:_SEQ_BYTES], data[_SEQ_BYTES:]
    if len(place) != _SEQ_BYTES or check != _check(match_id, after_seq, place):
        raise _invalid()
    return int.from_bytes(place, "big")


def _check(match_id: str, after_seq: int, place: bytes) -> bytes:
    return blake2b(f"{match_id} {after_seq} ".encode() + place, digest_size=_CHECK_BYTES).digest()


def _invalid() -> Refused:
    return Refused(
        REASON_PAGE_TOKEN_INVALID,
        "the page token is not one that ListEvents gave for the same match and `after_seq`; leave it empty to begin "
        "again",
    )
