"""What a side may become, with chances: an estimate that takes each needed card by itself.

A formation scores 31 for each rank above host, and the sum of its values. Wild cards stand where the side lacks most.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb, prod
from typing import Final, NamedTuple

from clients.bots.battleline.table import ALL_TROOPS, ALX, CAV, COLOURS, COLUMNS, DAR, ROW, SHB, TROOPS, VALUES, Cards

_RANK: Final = 31
_SKIRMISH, _BATTALION, _PHALANX, _WEDGE = (_RANK * rank for rank in range(1, 5))
_ENOUGH: Final = 0.02
"""Chance below which what is left is taken for a host."""
_GUESS: Final = 6.5
"""Value of a card that one may hope for when any will do."""
_CAVALRY: Final = 1 << 7
_LOW: Final = 0b111
_RUNS: Final = {
    size: [(((1 << size) - 1) << low, sum(range(low + 1, low + size + 1))) for low in range(VALUES - size, -1, -1)]
    for size in (3, 4)
}

_NOTHING: Final = (-1.0, 0.0)
Chances = tuple[tuple[float, float], ...]
"""(score, chance) pairs, the best score first; the chances add up to 1."""


class _Side(NamedTuple):
    values: int
    colour: int
    distinct: bool
    total: int
    leaders: int
    cavalry: bool
    shields: bool
    wild: int


@lru_cache(maxsize=1 << 12)
def _side(cards: Cards) -> _Side:
    troops = [card for card in cards if card < TROOPS]
    values = 0
    for troop in troops:
        values |= 1 << troop % VALUES
    colours = {troop // VALUES for troop in troops}
    colour = -1 if not colours else colours.pop() if len(colours) == 1 else -2
    leaders, cavalry, shields = cards.count(ALX) + cards.count(DAR), CAV in cards, SHB in cards
    total = sum(troop % VALUES + 1 for troop in troops)
    return _Side(
        values,
        colour,
        values.bit_count() == len(troops),
        total,
        leaders,
        cavalry,
        shields,
        leaders * 10 + cavalry * 8 + shields * 3,
    )


@lru_cache(maxsize=1 << 16)
def chances(cards: Cards, size: int, fog: bool, held: int, unseen: int, luck: float) -> Chances:
    """What the side may become: `held` troops are at hand, each of `unseen` comes with the chance `luck`."""
    side = _side(cards)
    missing = size - len(cards)
    found: list[tuple[float, float]] = []
    left = 1.0
    if not fog:
        for score, chance in _formations(side, size, missing, held, unseen, luck):
            if chance > 0:
                found.append((score, left * chance))
                left *= 1 - chance
                if left < _ENOUGH:
                    break
    if left > 0:
        found.append((side.total + side.wild + _GUESS * missing, left))
    return tuple(sorted(found, reverse=True))


@lru_cache(maxsize=1 << 12)
def relevant(cards: Cards, size: int) -> int:
    """The troops that can matter to the chances of a side that has these cards."""
    side = _side(cards)
    if not side.values:
        return ALL_TROOPS
    found = ROW << side.colour * VALUES if side.colour >= 0 else 0
    near = side.values if side.values.bit_count() == 1 else 0
    if side.distinct:
        for run, _ in _RUNS[size]:
            near |= run if not side.values & ~run else 0
    return found | sum(column for at, column in enumerate(COLUMNS) if near >> at & 1)


def _formations(
    side: _Side, size: int, missing: int, held: int, unseen: int, luck: float
) -> Iterator[tuple[float, float]]:
    """(score, chance) of each formation above host, the best first."""
    colours = range(len(COLOURS)) if side.colour == -1 else () if side.colour == -2 else (side.colour,)
    runs = [(run, total) for run, total in _RUNS[size] if not side.values & ~run] if side.distinct else []
    for run, total in runs if colours else ():
        fails = 1.0
        for colour in colours:
            at = colour * VALUES
            fails *= 1 - _run_chance(side, run & ~side.values, held >> at & ROW, _alone(unseen >> at & ROW, luck))
        yield _WEDGE + total, 1 - fails
    if side.values.bit_count() <= 1:
        for value in range(VALUES, 0, -1):
            if (side.values and side.values != 1 << value - 1) or not _wild_is(side, value):
                continue
            column = COLUMNS[value - 1]
            yield _PHALANX + size * value, _some(missing, held & column, unseen & column, luck)
    for colour in colours:
        row = ROW << colour * VALUES
        score = _BATTALION + side.total + side.wild + _hoped(held & row, missing)
        yield score, _some(missing, held & row, unseen & row, luck)
    if runs:
        near, far = _merged(held), _any_of(unseen, luck)
        for run, total in runs:
            yield _SKIRMISH + total, _run_chance(side, run & ~side.values, near, far)


def _wild_is(side: _Side, value: int) -> bool:
    return (not side.cavalry or value == 8) and (not side.shields or value <= 3)


@lru_cache(maxsize=1 << 13)
def _alone(row: int, luck: float) -> tuple[float, ...]:
    """By value, the chance to get the one card of it."""
    return tuple(luck if row >> at & 1 else 0.0 for at in range(VALUES))


@lru_cache(maxsize=1 << 10)
def _any_of(unseen: int, luck: float) -> tuple[float, ...]:
    """By value, the chance to get a card of any colour."""
    return tuple(1 - (1 - luck) ** (unseen & column).bit_count() for column in COLUMNS)


def _merged(cards: int) -> int:
    """The values of the cards."""
    row = 0
    for colour in range(len(COLOURS)):
        row |= cards >> colour * VALUES & ROW
    return row


def _run_chance(side: _Side, need: int, held: int, comes: tuple[float, ...]) -> float:
    """The chance that the needed values are filled, by wild cards where it is lowest."""
    if side.cavalry:
        if not need & _CAVALRY:
            return 0.0
        need &= ~_CAVALRY
    each = sorted((1.0 if held >> at & 1 else comes[at], at) for at in range(VALUES) if need >> at & 1)
    if side.shields:
        low = next((place for place, (_, at) in enumerate(each) if _LOW >> at & 1), None)
        if low is None:
            return 0.0
        del each[low]
    return prod(chance for chance, _ in each[side.leaders :])


def _some(missing: int, held: int, unseen: int, luck: float) -> float:
    """The chance to get so many of the cards."""
    wanted = missing - held.bit_count()
    if wanted <= 0:
        return 1.0
    there = unseen.bit_count()
    return sum(comb(there, k) * luck**k * (1 - luck) ** (there - k) for k in range(wanted, there + 1))


def _hoped(held: int, missing: int) -> float:
    """Sum of the values that fill a side when any of the cards at hand, or any card at all, will do."""
    best = sorted((at % VALUES + 1 for at in range(TROOPS) if held >> at & 1), reverse=True)[:missing]
    return sum(max(value, _GUESS) for value in best) + _GUESS * (missing - len(best))


def duel(mine: Chances, theirs: Chances, tie: float) -> float:
    """The chance that mine is better; a tie counts as `tie`."""
    won, below = 0.0, 1.0
    others = iter(theirs)
    against, other = next(others)
    for score, chance in mine:
        while against > score:
            below -= other
            against, other = next(others, _NOTHING)
        won += chance * (below - other * (1 - tie) if against == score else below)
    return won
