"""A bot that summons what it can, the highest rank first, and else places pieces where the hand's patterns want them.

It knows the cards' patterns but not their effects: of a summon it weighs the rank, what is crushed and where it lands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hamle.match.v1.match_pb2 import Choice
from hamle.tashkalar.v1 import tashkalar_pb2 as pb
from hamle_client import View

from clients.bots.runner import Bot, Choices
from clients.bots.tashkalar.answers import worth
from clients.bots.tashkalar.patterns import bit, rank
from clients.bots.tashkalar.table import Table, read

_RANK: Final = 4.0
"""What a summon is worth for each rank; a place action is worth less, unless a better summon can follow."""
_FIXED: Final = {"F:": 14.0, "T:": 13.0, "D:": -5.0, "W:": -6.0}
"""Flares and thawing cost no action; discards lose one, and a pending being costs points."""
_MOST: Final = 3.9


def summoner() -> Bot:
    """The bot."""

    async def bot(view: View, choices: Choices) -> str:
        table = read(view)
        begun = max(await _begun(table, choices), key=lambda choice: value(table, choice.text))
        while not begun.complete:
            begun = max(await choices(begun.text), key=lambda choice: worth(table, choice.text))
        return begun.text

    return bot


async def _begun(table: Table, choices: Choices) -> Sequence[Choice]:
    """What can be begun, with the squares of places and summons."""
    found: list[Choice] = []
    for first in await choices(""):
        if first.text == "P:" or first.text.endswith("@"):
            found += await choices(first.text)
        else:
            found.append(first)
    return found


def value(table: Table, text: str) -> float:
    """How good a begun move looks."""
    if text[:2] in _FIXED:
        return _FIXED[text[:2]]
    if text.startswith("P:"):
        return _placed(table, text[2:])
    if text.startswith("S:"):
        key, _, where = text[2:].partition("@")
        return _summoned(table, rank(key), bit(where[:2]))
    return worth(table, text)


def _placed(table: Table, where: str) -> float:
    """With an action to follow, what is whole by this piece can be summoned at once."""
    lifted, _, square = where.rpartition(">")
    near = table.near.get(bit(square), 0.0)
    gain = _RANK * near - 1.0 if table.game.turn.actions > 1 and near >= 1.0 else min(near, _MOST)
    return gain - float(table.pieces[bit(lifted)].rank) if lifted else gain


def _summoned(table: Table, landed: int, square: int) -> float:
    piece = table.pieces.get(square)
    useful = table.raised if landed > pb.RANK_COMMON else table.near
    gain = _RANK * landed + min(1.0, useful.get(square, 0.0))
    if piece is None:
        return gain
    if piece.colour != table.colour:
        return gain + piece.rank
    return gain - (piece.rank if piece.rank > pb.RANK_COMMON else 0.5)
