"""The arena: 69 squares, their names, neighbours, rays, distances and colours (rules §2).

A square is a number 0..68, row by row, the top row (y = 1) first, each from the left. Its name is a letter for the
column x = 1..9 and the digit of the row y: `e5` is the centre. A set of squares is an int of 69 bits, bit n for square
n. A direction is a number 0..7, clockwise from the top in steps of 45 degrees: the even ones are orthogonal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

SIZE: Final = 9
DIRECTIONS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""(dx, dy) of each direction; x grows to the right, y downwards."""
N, NE, E, SE, S, SW, W, NW = range(8)

COORDINATES: Final = tuple(
    (x, y) for y in range(1, SIZE + 1) for x in range(1, SIZE + 1) if 3 < x + y < 2 * SIZE - 1 and abs(x - y) < SIZE - 2
)
"""(x, y) of each square: three squares are missing at each corner."""
SQUARES: Final = len(COORDINATES)
SQUARE_AT: Final = {coordinates: square for square, coordinates in enumerate(COORDINATES)}
NAMES: Final = tuple(f"{'abcdefghi'[x - 1]}{y}" for x, y in COORDINATES)
NAMED: Final = {name: square for square, name in enumerate(NAMES)}


def bits(mask: int) -> Iterator[int]:
    """The squares of a set, in ascending order. Raises OverflowError for more than 72 bits."""
    first, second, third, fourth, fifth, sixth, seventh, eighth, ninth = mask.to_bytes(9, "little")
    found = _BYTES[0][first] + _BYTES[1][second] + _BYTES[2][third] + _BYTES[3][fourth] + _BYTES[4][fifth]
    return iter(found + _BYTES[5][sixth] + _BYTES[6][seventh] + _BYTES[7][eighth] + _BYTES[8][ninth])


_BYTES: Final = tuple(
    tuple(tuple(8 * byte + bit for bit in range(8) if value >> bit & 1) for value in range(256)) for byte in range(9)
)
"""By byte of a set and its value: the squares."""


def mask_of(squares: Iterable[int]) -> int:
    """The set of these squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def opposite(direction: int) -> int:
    """The direction the other way."""
    return (direction + 4) & 7


def offset(square: int, dx: int, dy: int) -> int | None:
    """The square so far to the right and down; None beyond the edge."""
    x, y = COORDINATES[square]
    return SQUARE_AT.get((x + dx, y + dy))


def distance(a: int, b: int) -> int:
    """How many steps it takes from one square to the other, 0..8, whatever stands between (rules §2)."""
    (ax, ay), (bx, by) = COORDINATES[a], COORDINATES[b]
    return max(abs(ax - bx), abs(ay - by))


def _ray(square: int, direction: int) -> tuple[int, ...]:
    dx, dy = DIRECTIONS[direction]
    found = []
    here = offset(square, dx, dy)
    while here is not None:
        found.append(here)
        here = offset(here, dx, dy)
    return tuple(found)


def _named(names: str) -> int:
    return mask_of(NAMED[name] for name in names.split())


ALL: Final = (1 << SQUARES) - 1
RAYS: Final = tuple(tuple(_ray(square, direction) for direction in range(8)) for square in range(SQUARES))
"""By square and direction: the squares from the next one to the edge, the nearest first."""
STEP: Final = tuple(tuple(ray[0] if ray else None for ray in rays) for rays in RAYS)
"""By square and direction: the next square; None beyond the edge."""
DISTANCE: Final = tuple(tuple(distance(a, b) for b in range(SQUARES)) for a in range(SQUARES))
WITHIN: Final = tuple(
    tuple(mask_of(other for other in range(SQUARES) if DISTANCE[square][other] <= n) for n in range(SIZE))
    for square in range(SQUARES)
)
"""By square and n = 0..8: the squares at most so far away, the square itself among them."""
NEIGHBOURS: Final = tuple(WITHIN[square][1] ^ 1 << square for square in range(SQUARES))
ORTHOGONAL: Final = tuple(mask_of(step for step in steps[::2] if step is not None) for steps in STEP)
DIAGONAL: Final = tuple(mask_of(step for step in steps[1::2] if step is not None) for steps in STEP)
DIRECTION_TO: Final = tuple(
    {square: direction for direction, ray in enumerate(rays) for square in ray} for rays in RAYS
)
"""By square: the direction in which each square lies that is on one of its rays."""

RED: Final = _named("d2 e5 h6 c8")
GREEN: Final = _named("c3 g3 i4 a5 f8")
COLOURED: Final = RED | GREEN
COLOURLESS: Final = ALL ^ COLOURED

CENTRE: Final = NAMED["e5"]
CENTRE9: Final = WITHIN[CENTRE][1]
CENTRE_PLUS: Final = 1 << CENTRE | ORTHOGONAL[CENTRE]
CENTRE_TIMES: Final = 1 << CENTRE | DIAGONAL[CENTRE]
ROWS: Final = tuple(mask_of(square for square in range(SQUARES) if COORDINATES[square][1] == y) for y in range(1, 10))
COLUMNS: Final = tuple(
    mask_of(square for square in range(SQUARES) if COORDINATES[square][0] == x) for x in range(1, 10)
)
"""By x - 1 or y - 1."""
DIAGONALS: Final = (_named("b2 c3 d4 e5 f6 g7 h8"), _named("b8 c7 d6 e5 f4 g3 h2"))
LEFT, RIGHT, TOP, BOTTOM = SIDES = (COLUMNS[0], COLUMNS[8], ROWS[0], ROWS[8])
NORTH_WEST, NORTH_EAST, SOUTH_WEST, SOUTH_EAST = CORNERS = (
    _named("a3 b2 c1"),
    _named("g1 h2 i3"),
    _named("a7 b8 c9"),
    _named("g9 h8 i7"),
)

DUEL_START: Final = (NAMED["c5"], NAMED["g5"])
"""Where the two first pieces of a deathmatch duel stand (rules §4)."""
MELEE_SYMBOLS: Final = tuple((NAMED[a], NAMED[b]) for a, b in (("f2", "g2"), ("b7", "c7"), ("g6", "g7")))
"""The pairs of squares beside the three symbols of a melee."""


def around(mask: int) -> int:
    """The squares next to any square of the set; a square of the set only when it is next to another."""
    found = 0
    for square in bits(mask):
        found |= NEIGHBOURS[square]
    return found
