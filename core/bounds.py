"""Bounds of what a request may hold, as the comments of the protos tell them; gateways and engines hold the same."""

from __future__ import annotations

from typing import Final

MOST_ID: Final = 64
"""Characters of a request id or a handle; at least one."""
MOST_ENTROPY: Final = 32
"""Bytes that a seat adds to the seed."""
MOST_MOVES: Final = 64
"""Moves of one call; at least one."""
MOST_MOVE_BYTES: Final = 1024
"""Bytes of a move, or of the beginning of one, in UTF-8."""
SURELY_FITS: Final = MOST_MOVE_BYTES // 4
"""A character takes 1 to 4 bytes, so a move of so many characters need not be encoded to be measured."""
INITIAL_MS: Final = (1_000, 604_800_000)
"""Least and most of a clock's time at the start."""
INCREMENT_MS: Final = (0, 86_400_000)
"""Least and most of what a clock gains by a move."""


def move_fits(text: str) -> bool:
    """Whether a move, or the beginning of one, is short enough."""
    size = len(text)
    return size <= SURELY_FITS or (size <= MOST_MOVE_BYTES and len(text.encode()) <= MOST_MOVE_BYTES)
