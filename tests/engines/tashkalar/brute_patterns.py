"""Pattern matching by the letter of the rules, without tables or shifts: a board is a dict of squares."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

from engines.tashkalar.cards import BEINGS

Place = tuple[int, int]
Pieces = dict[Place, int]
"""Rank of the piece on each (x, y)."""

COLOURED = {(4, 2), (5, 5), (8, 6), (3, 8), (3, 3), (7, 3), (9, 4), (1, 5), (6, 8)}
PLACES = [(x, y) for y, x in product(range(1, 10), repeat=2) if 3 < x + y < 17 and abs(x - y) < 7]


def turned(offset: Place, quarters: int, mirrored: bool) -> Place:
    dx, dy = offset
    if mirrored:
        dx = -dx
    for _ in range(quarters):
        dx, dy = -dy, dx
    return dx, dy


@cache
def positions(being: int) -> tuple[dict[Place, int], ...]:
    """The ranks that the card wants at each offset, in its eight positions; equal positions once."""
    found: list[dict[Place, int]] = []
    for quarters, mirrored in product(range(4), (False, True)):
        pattern = BEINGS[being].pattern
        wanted = {turned((cell.dx, cell.dy), quarters, mirrored): int(cell.rank) for cell in pattern}
        if wanted not in found:
            found.append(wanted)
    return tuple(found)


def wants(being: int, at: Place) -> Iterator[dict[Place, int]]:
    """The pieces that each position wants around a square."""
    x, y = at
    for position in positions(being):
        yield {(x + dx, y + dy): rank for (dx, dy), rank in position.items()}


def landings(being: int, own: Pieces, others: Pieces, at: Place) -> list[Place]:
    """Where the being may be put when its pattern is found around the square."""
    if BEINGS[being].anywhere:
        return [place for place in PLACES if place not in own and place not in others and place not in COLOURED]
    occupant = max(own.get(at, -1), others.get(at, -1))
    return [at] if occupant <= BEINGS[being].rank else []


def summons(being: int, own: Pieces, others: Pieces) -> set[tuple[Place, frozenset[Place]]]:
    """Summoning square and squares of the pattern."""
    found = set()
    for position, (x, y) in product(positions(being), PLACES):
        if all(own.get((x + dx, y + dy), -1) >= rank for (dx, dy), rank in position.items()):
            pattern = frozenset((x + dx, y + dy) for dx, dy in position)
            found |= {(landing, pattern) for landing in landings(being, own, others, (x, y))}
    return found


def lent(
    being: int, own: Pieces, others: Pieces, pools: list[tuple[Pieces, int]]
) -> set[tuple[Place, frozenset[Place], frozenset[tuple[Place, int]]]]:
    """Summoning square, squares of the pattern, and what stands in there: squares with the number of their pool."""
    found = set()
    for at in PLACES:
        for wanted in wants(being, at):
            missing = [place for place, rank in wanted.items() if own.get(place, -1) < rank]
            if not missing or any(place in own for place in missing):
                continue
            for lenders in product(range(len(pools)), repeat=len(missing)):
                able = all(
                    pools[lender][0].get(place, -1) >= wanted[place]
                    for place, lender in zip(missing, lenders, strict=True)
                )
                if able and all(lenders.count(number) <= most for number, (_, most) in enumerate(pools)):
                    ways = frozenset(zip(missing, lenders, strict=True))
                    found |= {(landing, frozenset(wanted), ways) for landing in landings(being, own, others, at)}
    return found


def random_pieces(chance: random.Random) -> tuple[Pieces, Pieces]:
    """Own and other pieces, few or many, mostly common."""
    own, others = {}, {}
    share = chance.choice((0.1, 0.25, 0.4, 0.6))
    for place in PLACES:
        roll = chance.random()
        rank = chance.choice((0, 0, 0, 1, 1, 2))
        if roll < share:
            own[place] = rank
        elif roll < share + 0.25:
            others[place] = rank
    return own, others
