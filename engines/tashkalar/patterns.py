"""Where a being can be summoned: its images matched with all squares of the board at once (rules §7).

The board is laid out on rows of 13 bits, of which nine are squares, so that no shift by a pattern's offset (at most 4
either way) carries a piece from one row into another. The squares where an image fits are then the intersection of
the own pieces, shifted once for each cell of the pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from engines.tashkalar.board import ALL, COLOURLESS, COORDINATES, ROWS, SQUARES, bits, mask_of
from engines.tashkalar.cards import BEINGS
from engines.tashkalar.images import Image, images, places

Ranks = tuple[int, int, int]
"""Squares by lowest rank: pieces of any rank, heroic and legendary ones, legendary ones."""

_STRIDE: Final = 13
_PAD: Final = 4 * _STRIDE + 4
"""What a shift can need below the first square."""
_WIDE: Final = tuple((y - 1) * _STRIDE + x - 1 for x, y in COORDINATES)
_SHIFTS: Final = tuple((row, _WIDE[next(bits(row))] - next(bits(row))) for row in ROWS)


class Summon(NamedTuple):
    """A summoning square, the number of the image that matches there, and the squares of the pattern's pieces."""

    square: int
    image: int
    needed: int


class Lender(NamedTuple):
    """Pieces or empty squares that may stand in for own pieces as if of these ranks, and how many of them at most."""

    pool: Ranks
    most: int


class Lent(NamedTuple):
    """A summon with stand-ins: pairs of a square and the number of its lender, by square."""

    summon: Summon
    lent: tuple[tuple[int, int], ...]


class _Fit(NamedTuple):
    """An image ready for matching: a rank and a shift for each cell, and its summons by the wide bit's length."""

    cells: tuple[tuple[int, int], ...]
    summons: tuple[Summon | None, ...]


def blocked_for(being: int, everyone: Ranks) -> int:
    """Where the being cannot land: on a higher rank; Time Traveler on any piece or colour (rules §7)."""
    card = BEINGS[being]
    if card.anywhere:
        return everyone[0] | ALL ^ COLOURLESS
    return everyone[card.rank + 1] if card.rank < 2 else 0


def summons(being: int, own: Ranks, blocked: int) -> list[Summon]:
    """All summons of the being by own pieces alone, by image and square. It does not ask whether counters are left."""
    return _summons(being, _prepared(own), blocked)


def hand_summons(beings: Iterable[int], own: Ranks, everyone: Ranks) -> list[tuple[int, list[Summon]]]:
    """Each of the beings with its summons, as `summons` finds them."""
    prepared = _prepared(own)
    return [(being, _summons(being, prepared, blocked_for(being, everyone))) for being in beings]


def lent_summons(being: int, own: Ranks, blocked: int, lenders: Sequence[Lender]) -> list[Lent]:
    """All summons in which something stands in for an own piece, once for each way to take it from the lenders."""
    pool = tuple(_union(lender.pool[rank] for lender in lenders) & ~own[0] for rank in range(3))
    most = min(sum(lender.most for lender in lenders), len(BEINGS[being].pattern))
    mine, theirs = _prepared(own), _prepared((pool[0], pool[1], pool[2]))
    found = []
    for number, fit in enumerate(_fits(being)):
        levels = [_landing(being, blocked), *[0] * most]
        for rank, shift in fit.cells:
            own_there, lent_there = mine[rank] >> shift, theirs[rank] >> shift
            for level in range(most, 0, -1):
                levels[level] = levels[level] & own_there | levels[level - 1] & lent_there
            levels[0] &= own_there
        for level in levels[1:]:
            for summon in _told(being, fit, level, blocked):
                found += [Lent(summon, way) for way in _ways(being, number, summon, own[0], lenders)]
    return found


def _summons(being: int, prepared: Ranks, blocked: int) -> list[Summon]:
    landing = _landing(being, blocked)
    found: list[Summon] = []
    for fit in _fits(being):
        squares = landing
        for rank, shift in fit.cells:
            squares &= prepared[rank] >> shift
            if not squares:
                break
        else:
            found += _told(being, fit, squares, blocked)
    return found


def _told(being: int, fit: _Fit, squares: int, blocked: int) -> Iterator[Summon]:
    by_length = fit.summons
    anywhere = BEINGS[being].anywhere
    while squares:
        low = squares & -squares
        squares ^= low
        summon = by_length[low.bit_length()]
        assert summon is not None
        if anywhere:
            yield from (summon._replace(square=square) for square in bits(COLOURLESS & ~blocked))
        else:
            yield summon


def _ways(
    being: int, image: int, summon: Summon, own: int, lenders: Sequence[Lender]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Each way to share out the squares without an own piece among the lenders."""
    ranks = _ranks_by_square(being, image, summon.needed)
    ways: list[tuple[tuple[int, int], ...]] = [()]
    for square in bits(summon.needed & ~own):
        able = [n for n, lender in enumerate(lenders) if lender.pool[ranks[square]] >> square & 1]
        ways = [
            (*way, (square, lender))
            for way in ways
            for lender in able
            if sum(taken == lender for _, taken in way) < lenders[lender].most
        ]
    yield from ways


@cache
def _fits(being: int) -> tuple[_Fit, ...]:
    return tuple(_fit(number, image) for number, image in enumerate(images(being)))


def _fit(number: int, image: Image) -> _Fit:
    by_length: list[Summon | None] = [None] * (_WIDE[-1] + 2)
    for square in range(SQUARES):
        pieces = places(image, square)
        if pieces is not None:
            by_length[_WIDE[square] + 1] = Summon(square, number, mask_of(pieces))
    shifts = ((int(cell.rank), _PAD + cell.dy * _STRIDE + cell.dx) for cell in image.cells)
    return _Fit(tuple(sorted(shifts, reverse=True)), tuple(by_length))


@cache
def _ranks_by_square(being: int, image: int, needed: int) -> dict[int, int]:
    """The rank that each square of the pattern wants, for an image that stands on those squares."""
    picture = images(being)[image]
    for square in range(SQUARES):
        pieces = places(picture, square)
        if pieces is not None and mask_of(pieces) == needed:
            return {place: int(cell.rank) for place, cell in zip(pieces, picture.cells, strict=True)}
    raise ValueError(f"image {image} of {BEINGS[being].name} stands nowhere on {needed:#x}")


def _landing(being: int, blocked: int) -> int:
    return _WIDE_ALL if BEINGS[being].anywhere else _WIDE_ALL & ~_widened(blocked)


def _widened(mask: int) -> int:
    wide = 0
    for row, shift in _SHIFTS:
        wide |= (mask & row) << shift
    return wide


def _prepared(ranks: Ranks) -> Ranks:
    return _widened(ranks[0]) << _PAD, _widened(ranks[1]) << _PAD, _widened(ranks[2]) << _PAD


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


_WIDE_ALL: Final = _widened(ALL)
