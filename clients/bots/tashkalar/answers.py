"""Which answer an effect gets: what is asked is not told, so that the squares must say it."""

from __future__ import annotations

from typing import Final

from hamle.tashkalar.v1 import tashkalar_pb2 as pb

from clients.bots.tashkalar.diagrams import PATTERNS, POINTS
from clients.bots.tashkalar.patterns import bit, is_square, rank
from clients.bots.tashkalar.table import Table

_DECLINED: Final = 0.8
_EMPTY: Final = 1.0
_OWN: Final = {pb.RANK_COMMON: 0.9, pb.RANK_HEROIC: 0.2, pb.RANK_LEGENDARY: -1.0}
"""Own commons are asked for to be upgraded mostly, others to be given up."""


def worth(table: Table, text: str) -> float:
    """How good the last answer of a move looks."""
    answer = text.rpartition(";")[2]
    if answer == "pass":
        return -9.0
    if answer == "-":
        return _DECLINED
    if is_square(answer):
        return square_worth(table, bit(answer))
    if len(answer) == 4 and is_square(answer[:2]) and is_square(answer[2:]):
        return _step_worth(table, bit(answer[:2]), bit(answer[2:]))
    if answer in POINTS:
        return 1.0 + POINTS[answer]
    if answer in PATTERNS:
        return 0.5 + 0.1 * rank(answer)
    return _EMPTY


def square_worth(table: Table, square: int) -> float:
    """An enemy piece for its rank, an empty square for the patterns that it brings nearer."""
    piece = table.pieces.get(square)
    if piece is None:
        return _EMPTY + min(0.9, table.near.get(square, 0.0) / 4)
    if piece.colour != table.colour:
        return 2.0 + piece.rank
    return _OWN[piece.rank]


def _step_worth(table: Table, start: int, to: int) -> float:
    """Moves of own pieces onto enemy ones are best, onto own ones worst."""
    there = table.pieces.get(to)
    if there is None:
        return _EMPTY + min(0.5, table.near.get(to, 0.0) / 4)
    moves_own = bool(start & table.own)
    if there.colour != table.colour:
        return 2.0 + there.rank + moves_own
    return -float(there.rank)
