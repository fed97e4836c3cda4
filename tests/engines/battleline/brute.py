"""Formations and proofs by trying everything, written from rules §3 and §6 alone: slow, and easy to believe."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, pairwise, product

from engines.battleline.cards import ALX, CAV, DAR, SHB

Strength = tuple[int, int]
Plain = tuple[int, int]

_ANY = [(colour, value) for colour in range(6) for value in range(1, 11)]
_READINGS = {
    ALX: _ANY,
    DAR: _ANY,
    CAV: [plain for plain in _ANY if plain[1] == 8],
    SHB: [plain for plain in _ANY if plain[1] <= 3],
}


def readings(card: int) -> list[Plain]:
    """The (colour, value) pairs that a card can stand for."""
    return _READINGS.get(card) or [(card // 10, card % 10 + 1)]


@lru_cache(maxsize=1 << 18)
def plain_rank(reading: tuple[Plain, ...]) -> Strength:
    """Rank (5 wedge .. 1 host) and sum of cards that are what they are."""
    colours = {colour for colour, _ in reading}
    values = sorted(value for _, value in reading)
    run = all(after == before + 1 for before, after in pairwise(values))
    if run and len(colours) == 1:
        rank = 5
    elif len(set(values)) == 1:
        rank = 4
    elif len(colours) == 1:
        rank = 3
    elif run:
        rank = 2
    else:
        rank = 1
    return rank, sum(values)


@lru_cache(maxsize=1 << 18)
def best_reading(cards: tuple[int, ...], fog: bool) -> Strength:
    """The best of all readings of a complete side; in Fog only the sum counts."""
    found = [plain_rank(tuple(sorted(reading))) for reading in product(*(readings(card) for card in cards))]
    return (1, max(total for _, total in found)) if fog else max(found)


def completions(cards: tuple[int, ...], size: int, unseen: list[int]) -> list[tuple[int, ...]]:
    """Every way to fill a side up."""
    return [tuple(sorted((*cards, *fill))) for fill in combinations(unseen, size - len(cards))]


def best_reply(cards: tuple[int, ...], size: int, fog: bool, unseen: list[int]) -> Strength | None:
    """The best that any completion gives; None when there is none."""
    return max((best_reading(whole, fog) for whole in completions(cards, size, unseen)), default=None)


def proven(
    mine: tuple[int, ...], theirs: tuple[int, ...], size: int, fog: bool, unseen: list[int], ahead: bool
) -> bool:
    """Whether a claim holds, by looking at every completion of the other side."""
    if len(mine) != size:
        return False
    shown = best_reading(tuple(sorted(mine)), fog)
    if len(theirs) == size:
        other = best_reading(tuple(sorted(theirs)), fog)
        return other < shown or (other == shown and ahead)
    return all(best_reading(whole, fog) <= shown for whole in completions(theirs, size, unseen))
