"""Cheap checks of what players send, before anything else is done with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hamle.error.v1.error_pb2 import REASON_NOT_YOUR_SEAT
from hamle.match.v1.match_pb2 import Cursor

from core.bounds import MOST_MOVE_BYTES, MOST_MOVES, SURELY_FITS, move_fits
from core.errors import Refused
from services.gateway.fields import wrong

HASH_BYTES: Final = 16
_HASHES: Final = (0, HASH_BYTES)
MOST_SEQ: Final = 2**63 - 1
_LONGEST: Final = Cursor(seq=MOST_SEQ, hash=bytes(HASH_BYTES)).ByteSize()


def moves(values: Sequence[str]) -> Sequence[str]:
    """1 to 64 moves of at most 1,024 bytes. Raises FIELD_INVALID."""
    # Of a repeated field a slice comes at a fifth of the price of iterating over it.
    checked = values[:]
    if not 1 <= len(checked) <= MOST_MOVES:
        raise wrong("moves", f"1 to {MOST_MOVES} moves")
    for value in checked:
        if len(value) > SURELY_FITS:
            text("moves", value)
    return checked


def text(field: str, value: str) -> str:
    """A move or the beginning of one: at most 1,024 bytes. Raises FIELD_INVALID."""
    if not move_fits(value):
        raise wrong(field, f"at most {MOST_MOVE_BYTES} bytes")
    return value


def expected(cursor: Cursor) -> bytes:
    """The last event that the caller has seen, encoded: `seq` is required. Raises FIELD_INVALID.

    Fields that a cursor does not have are left out: they would go on to the engine, whatever their size.
    """
    seq = cursor.seq
    if not seq:
        raise wrong("expected.seq", "the seq of the last event that you have seen, 1 or more")
    if seq > MOST_SEQ or len(cursor.hash) not in _HASHES:
        place("expected", cursor)
    data = cursor.SerializeToString()
    return data if len(data) <= _LONGEST else Cursor(seq=seq, hash=cursor.hash).SerializeToString()


def place(field: str, cursor: Cursor) -> Cursor:
    """A cursor whose hash is empty or complete, without what a cursor does not have. Raises FIELD_INVALID."""
    if cursor.seq > MOST_SEQ:
        raise wrong(f"{field}.seq", f"at most {MOST_SEQ}")
    if len(cursor.hash) not in _HASHES:
        raise wrong(f"{field}.hash", f"{HASH_BYTES} bytes as they came with the event, or none")
    return Cursor(seq=cursor.seq, hash=cursor.hash)


def no_seat() -> Refused:
    """NOT_YOUR_SEAT, for a caller who never took one."""
    return Refused(
        REASON_NOT_YOUR_SEAT, "you have no seat in this match; LobbyService.JoinMatch takes one before the match starts"
    )
