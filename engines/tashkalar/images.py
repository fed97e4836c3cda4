"""The images of a being's diagram: turned by quarters and mirrored, marks and directions along with it (rules §7)."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from engines.tashkalar.board import DIRECTIONS, mask_of, offset
from engines.tashkalar.cards import BEINGS, Being, Cell

_SYMMETRIES: Final = (
    *((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)),
    *((-1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 0, -1), (0, -1, -1, 0)),
)
"""The matrices by rows: as printed, three quarter turns clockwise, then each of these four mirrored left and right."""


class Image(NamedTuple):
    """A diagram in one of its positions; offsets are (dx, dy) from the summoning square."""

    cells: tuple[Cell, ...]
    squares: tuple[tuple[int, int], ...]
    special: tuple[tuple[int, int], ...]
    directions: tuple[int, ...]


class Marks(NamedTuple):
    """What an effect refers to, on the board: sets of squares, directions, and which square mirrors which.

    `mirrored` holds pairs of a marked and a special square; both lie on the board.
    """

    squares: int
    special: int
    directions: tuple[int, ...]
    mirrored: tuple[tuple[int, int], ...]


@cache
def images(being: int) -> tuple[Image, ...]:
    """All images that differ in the pattern or in a mark that counts, the printed one first."""
    found: dict[object, Image] = {}
    for symmetry in _SYMMETRIES:
        image = _turned(BEINGS[being], symmetry)
        found.setdefault(tuple(frozenset(part) for part in image), image)
    return tuple(found.values())


@cache
def marks(being: int, square: int, image: int) -> Marks:
    """The marks of a being that is summoned on the square by that image; what lies beyond the edge is left out."""
    picture = images(being)[image]
    squares = [offset(square, dx, dy) for dx, dy in picture.squares]
    special = [offset(square, dx, dy) for dx, dy in picture.special]
    pairs = zip(squares, special, strict=True) if len(squares) == len(special) else ()
    return Marks(
        mask_of(mark for mark in squares if mark is not None),
        mask_of(mark for mark in special if mark is not None),
        picture.directions,
        tuple((a, b) for a, b in pairs if a is not None and b is not None),
    )


def places(image: Image, square: int) -> tuple[int, ...] | None:
    """Where the pattern's pieces stand for a summon on the square, in the order of the cells; None beyond the edge."""
    found = []
    for cell in image.cells:
        place = offset(square, cell.dx, cell.dy)
        if place is None:
            return None
        found.append(place)
    return tuple(found)


def _turned(being: Being, symmetry: tuple[int, int, int, int]) -> Image:
    a, b, c, d = symmetry

    def turn(dx: int, dy: int) -> tuple[int, int]:
        return a * dx + b * dy, c * dx + d * dy

    return Image(
        tuple(Cell(*turn(cell.dx, cell.dy), cell.rank) for cell in being.pattern),
        tuple(turn(*mark) for mark in being.squares),
        tuple(turn(*mark) for mark in being.special),
        tuple(DIRECTIONS.index(turn(*DIRECTIONS[direction])) for direction in being.directions),
    )
