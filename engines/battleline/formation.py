"""The strongest formation that a side shows or can still reach (rules §3, §6), exact over all readings of wild cards.

Ranks are tried from the best one down, and within a rank from the highest sum down, so the first that can be filled is
the answer. Sets of troops are bits: bit n is troop n.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import Final, NamedTuple

from engines.battleline.cards import CAV, COLOURS, LEADERS, SHB, TROOPS, VALUES


class Rank(IntEnum):
    """The formations, the best one highest."""

    HOST = 1
    SKIRMISH = 2
    BATTALION = 3
    PHALANX = 4
    WEDGE = 5


class Strength(NamedTuple):
    """What formations are compared by: the rank, then the sum of all values."""

    rank: Rank
    sum: int


class Reach(NamedTuple):
    """The best that a side can reach, and troops that reach it; none when the side is complete."""

    strength: Strength
    fill: tuple[int, ...]


class _Profile(NamedTuple):
    """What matters of the cards of one side: bit v-1 of `held` is set when a troop of value v is there."""

    troops: int
    held: int
    colour: int
    total: int
    leaders: int
    cavalry: int
    shields: int
    wild_most: int


_ANY: Final = -1
_MIXED: Final = -2
_COLOURS: Final = range(len(COLOURS))
_ROW: Final = (1 << VALUES) - 1
_COLUMNS: Final = (0, *(sum(1 << colour * VALUES + v for colour in _COLOURS) for v in range(VALUES)))
_CAVALRY_VALUE: Final = 8
_CAVALRY_BIT: Final = 1 << (_CAVALRY_VALUE - 1)
_SHIELD_BITS: Final = 0b111
_SHIELD_MOST: Final = 3
_RUNS: Final = {
    size: tuple((((1 << size) - 1) << low, sum(range(low + 1, low + size + 1))) for low in range(VALUES - size, -1, -1))
    for size in (3, 4)
}


def strength(cards: tuple[int, ...], fog: bool) -> Strength:
    """The strength of a complete side of 3 or 4 cards, troops and morale cards."""
    return _complete(cards, fog).strength


def reach(cards: tuple[int, ...], size: int, fog: bool, unseen: int) -> Reach | None:
    """The best that the side can become when it is filled up to `size` (3 or 4) with troops of the set `unseen`.

    None when there are too few of them.
    """
    missing = size - len(cards)
    if not missing:
        return _complete(cards, fog)
    if unseen.bit_count() < missing:
        return None
    return _search(_profile(cards), size, missing, fog, unseen)


def forget() -> None:
    """Empties the caches, for measuring."""
    _complete.cache_clear()
    _profile.cache_clear()


@lru_cache(maxsize=1 << 15)
def _complete(cards: tuple[int, ...], fog: bool) -> Reach:
    return _search(_profile(cards), len(cards), 0, fog, 0)


@lru_cache(maxsize=1 << 15)
def _profile(cards: tuple[int, ...]) -> _Profile:
    troops = [card for card in cards if card < TROOPS]
    held = total = 0
    for troop in troops:
        held |= 1 << troop % VALUES
        total += troop % VALUES + 1
    colours = {troop // VALUES for troop in troops}
    colour = _ANY if not colours else colours.pop() if len(colours) == 1 else _MIXED
    leaders, cavalry, shields = sum(card in LEADERS for card in cards), cards.count(CAV), cards.count(SHB)
    wild_most = leaders * VALUES + cavalry * _CAVALRY_VALUE + shields * _SHIELD_MOST
    return _Profile(len(troops), held, colour, total, leaders, cavalry, shields, wild_most)


def _search(side: _Profile, size: int, missing: int, fog: bool, unseen: int) -> Reach:
    if not fog:
        distinct = side.held.bit_count() == side.troops
        colours = _COLOURS if side.colour == _ANY else () if side.colour == _MIXED else (side.colour,)
        if distinct and colours and (found := _wedge(side, size, colours, unseen)):
            return found
        if side.held.bit_count() <= 1 and (found := _phalanx(side, size, missing, unseen)):
            return found
        if colours and (found := _battalion(side, missing, colours, unseen)):
            return found
        if distinct and (found := _skirmish(side, size, unseen)):
            return found
    fill = _highest(unseen, missing)
    return Reach(Strength(Rank.HOST, side.total + side.wild_most + _sum(fill)), fill)


def _wedge(side: _Profile, size: int, colours: Sequence[int], unseen: int) -> Reach | None:
    rows = [(colour * VALUES, unseen >> colour * VALUES & _ROW) for colour in colours]
    for run, total in _RUNS[size]:
        if side.held & ~run:
            continue
        for shift, row in rows:
            fill = _cover(side, run & ~side.held, row)
            if fill is not None:
                return Reach(Strength(Rank.WEDGE, total), _bits(fill << shift))
    return None


def _phalanx(side: _Profile, size: int, missing: int, unseen: int) -> Reach | None:
    values = [side.held.bit_length()] if side.held else range(VALUES, 0, -1)
    for value in values:
        if (side.cavalry and value != _CAVALRY_VALUE) or (side.shields and value > _SHIELD_MOST):
            continue
        column = unseen & _COLUMNS[value]
        if column.bit_count() >= missing:
            return Reach(Strength(Rank.PHALANX, size * value), _bits(column)[:missing])
    return None


def _battalion(side: _Profile, missing: int, colours: Sequence[int], unseen: int) -> Reach | None:
    best: Reach | None = None
    for colour in colours:
        row = unseen & _ROW << colour * VALUES
        if row.bit_count() < missing:
            continue
        fill = _bits(row)[-missing:] if missing else ()
        found = Reach(Strength(Rank.BATTALION, side.total + side.wild_most + _sum(fill)), fill)
        if best is None or found.strength > best.strength:
            best = found
    return best


def _skirmish(side: _Profile, size: int, unseen: int) -> Reach | None:
    row = 0
    for colour in _COLOURS:
        row |= unseen >> colour * VALUES & _ROW
    for run, total in _RUNS[size]:
        if side.held & ~run:
            continue
        fill = _cover(side, run & ~side.held, row)
        if fill is not None:
            values = [bit + 1 for bit in _bits(fill)]
            return Reach(Strength(Rank.SKIRMISH, total), tuple(_bits(unseen & _COLUMNS[value])[0] for value in values))
    return None


def _cover(side: _Profile, need: int, row: int) -> int | None:
    """The values of a run that troops must give, when wild cards stand for the others; None when it cannot be filled.

    `need` are the values that no troop of the side gives, as many as there are wild cards and empty slots; `row` those
    that unseen troops can give. Wild cards take gaps where they can, and only leaders can take any value.
    """
    if side.cavalry:
        if not need & _CAVALRY_BIT:
            return None
        need &= ~_CAVALRY_BIT
    if side.shields:
        low = need & _SHIELD_BITS
        if not low:
            return None
        low = low & ~row or low
        need &= ~(low & -low)
    gaps = need & ~row
    spare = side.leaders - gaps.bit_count()
    if spare < 0:
        return None
    need &= row
    for _ in range(spare):
        need &= need - 1
    return need


def _highest(unseen: int, count: int) -> tuple[int, ...]:
    """Unseen troops of the highest values."""
    fill: list[int] = []
    value = VALUES
    while len(fill) < count:
        fill += _bits(unseen & _COLUMNS[value])[: count - len(fill)]
        value -= 1
    return tuple(fill)


def _bits(bits: int) -> tuple[int, ...]:
    """Positions of the set bits, lowest first."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return tuple(found)


def _sum(fill: tuple[int, ...]) -> int:
    return sum(troop % VALUES + 1 for troop in fill)
