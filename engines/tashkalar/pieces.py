"""Ranks and pieces as numbers.

A piece is 3 * colour + rank; the board is a tuple of sets of squares, one for each piece, in that order. Sets of ranks
are flags: `C | H`.
"""

from __future__ import annotations

from typing import Final

COMMON, HEROIC, LEGENDARY = range(3)
C: Final = 1 << COMMON
H: Final = 1 << HEROIC
L: Final = 1 << LEGENDARY
UPGRADED: Final = H | L
ANY: Final = C | H | L
RANKS: Final = ("common", "heroic", "legendary")

NOTHING: Final = -1
"""In place of a piece, a square or a card: there is none."""

COUNTERS: Final = 17
"""Two-sided counters of a colour, common on one side and heroic on the other (rules §1)."""
LEGENDS: Final = 3
"""Legendary counters of a colour."""

Board = tuple[int, ...]


def rank_of(piece: int) -> int:
    """The rank of a piece."""
    return piece % 3


def colour_of(piece: int) -> int:
    """The colour of a piece."""
    return piece // 3


def is_legendary(piece: int) -> bool:
    """Whether the piece is a legendary counter, not a two-sided one."""
    return piece % 3 == LEGENDARY


def of_colour(board: Board, colour: int) -> int:
    """All squares that hold pieces of the colour."""
    common, heroic, legendary = board[3 * colour : 3 * colour + 3]
    return common | heroic | legendary
