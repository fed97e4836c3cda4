"""The board's geometry: 19 hexagonal tiles of six triangular fields, their names and neighbours (rules §2).

A tile is an axial pair (x, y), a field (x, y, f) with f = 0..5 clockwise from the top triangle. Black stands on even f,
White on odd f. Elsewhere a tile is its number 0..18 in the order of files and ranks, and a field its colour and its
number 0..56: three times the tile's number, plus 0, 1, 2 for the letters a, c, e (White) or b, d, f (Black).
"""

from __future__ import annotations

from typing import Final, NamedTuple

WHITE: Final = 0
BLACK: Final = 1
COLOURS: Final = (WHITE, BLACK)

STEP: Final = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))
"""What to add to a tile to cross the outer edge of its field f: the tile's neighbours clockwise from the top."""


class Tile(NamedTuple):
    """Axial coordinates; x, y and x + y are in -2..2."""

    x: int
    y: int


class Field(NamedTuple):
    """A triangle: its tile's coordinates and f, clockwise from the top."""

    x: int
    y: int
    f: int


TILES: Final = tuple(Tile(x, y) for x in range(-2, 3) for y in range(-2, 3) if abs(x + y) <= 2)
FIELDS: Final = tuple(tuple(Field(*tile, f) for tile in TILES for f in letters) for letters in ((5, 3, 1), (4, 2, 0)))
"""Fields by colour and number."""

TILE_NUMBER: Final = {tile: number for number, tile in enumerate(TILES)}
FIELD_NUMBER: Final = {field: number for fields in FIELDS for number, field in enumerate(fields)}


def colour_of(field: Field) -> int:
    """The colour that can stand on the field."""
    return BLACK if field.f % 2 == 0 else WHITE


def tile_name(tile: Tile) -> str:
    """File and rank, `c3`; the rank counts from the bottom of the file."""
    return f"{'abcde'[tile.x + 2]}{tile.y + 3 + min(tile.x, 0)}"


def field_name(field: Field) -> str:
    """The tile's name and a letter counter-clockwise from the upper left, `c3f`."""
    return tile_name(Tile(field.x, field.y)) + "fedcba"[field.f]


def edge_neighbours(field: Field) -> tuple[Field, ...]:
    """The two or three fields of the other colour that share an edge: clockwise, counter-clockwise, across."""
    x, y, f = field
    dx, dy = STEP[f]
    around = (Field(x, y, (f + 1) % 6), Field(x, y, (f - 1) % 6), Field(x + dx, y + dy, (f + 3) % 6))
    return tuple(neighbour for neighbour in around if neighbour in FIELD_NUMBER)


def move_targets(field: Field) -> tuple[Field, ...]:
    """The two to six fields of the same colour that touch the field in exactly one corner."""
    across = (target for neighbour in edge_neighbours(field) for target in edge_neighbours(neighbour))
    return tuple(sorted((target for target in across if target != field), key=FIELD_NUMBER.__getitem__))


def tile_neighbours(tile: Tile) -> tuple[int | None, ...]:
    """The numbers of the six neighbours clockwise from the top; None beyond the board's edge."""
    return tuple(TILE_NUMBER.get(Tile(tile.x + dx, tile.y + dy)) for dx, dy in STEP)


TILE_NAMES: Final = tuple(tile_name(tile) for tile in TILES)
FIELD_NAMES: Final = tuple(tuple(field_name(field) for field in fields) for fields in FIELDS)
NAMED_TILES: Final = {name: number for number, name in enumerate(TILE_NAMES)}
NAMED_FIELDS: Final = {name: (colour, number) for colour in COLOURS for number, name in enumerate(FIELD_NAMES[colour])}
"""Colour and number of each field by name."""

EDGES: Final = tuple(
    tuple(tuple(FIELD_NUMBER[neighbour] for neighbour in edge_neighbours(field)) for field in fields)
    for fields in FIELDS
)
"""By colour and number: the numbers of the edge neighbours, which have the other colour."""
TARGETS: Final = tuple(
    tuple(tuple(FIELD_NUMBER[target] for target in move_targets(field)) for field in fields) for fields in FIELDS
)
"""By colour and number: the numbers of the move targets, which have the same colour."""
NEIGHBOURS: Final = tuple(tile_neighbours(tile) for tile in TILES)
"""By tile: the numbers of the six neighbours clockwise from the top; None beyond the board's edge."""
