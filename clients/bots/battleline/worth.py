"""What a table is worth to the seat that looks at it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from clients.bots.battleline.chances import chances, duel, relevant
from clients.bots.battleline.table import OPEN, THEIRS, Cards, Front, Table

_ROW_WORTH: Final = 1.5
"""What three adjacent flags are worth, in flags."""


def flag_chance(table: Table, front: Front, held: int) -> float:
    """The chance that the flag becomes one's own, with the troops `held` in hand."""
    if front.owner != OPEN:
        return 0.0 if front.owner == THEIRS else 1.0
    mine = _sorted(front.mine)
    held &= relevant(mine, front.size)
    luck = (table.luck_mine, table.luck_theirs)
    return _open(
        mine, _sorted(front.theirs), front.size, front.fog, _tie(front), held, table.theirs, table.unseen, luck
    )


@lru_cache(maxsize=1 << 14)
def _open(
    mine: Cards,
    theirs: Cards,
    size: int,
    fog: bool,
    tie: float,
    held: int,
    held_by_other: int,
    unseen: int,
    luck: tuple[float, float],
) -> float:
    one = chances(mine, size, fog, held, unseen, luck[0])
    return duel(one, chances(theirs, size, fog, held_by_other, unseen, luck[1]), tie)


def _sorted(cards: Cards) -> Cards:
    return tuple(sorted(cards))


def _tie(front: Front) -> float:
    """How far a tie is mine: that of the side that is completed first."""
    mine, theirs = len(front.mine) >= front.size, len(front.theirs) >= front.size
    if mine and theirs:
        return 0.0 if front.newest_mine else 1.0
    return 1.0 if mine else 0.0 if theirs else 0.5


def worth(chances_of_flags: Sequence[float]) -> float:
    """The table's worth, from the chance of each flag: flags count, and three adjacent ones more."""
    total = sum(chances_of_flags)
    for at in range(len(chances_of_flags) - 2):
        a, b, c = chances_of_flags[at : at + 3]
        total += _ROW_WORTH * (a * b * c - (1 - a) * (1 - b) * (1 - c))
    return total
