"""Bit tables of the board, so that a turn is a few look-ups.

A set of fields of one colour is an int of 57 bits: bit n stands for the field of number n. The tiles on the board are
such a set too, `board`, in which a tile is the three bits of its number, whatever the colour. So the fields of the
colour that moves which are on the board and not occupied are `board ^ own`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final, NamedTuple

from engines.coerceo.board import COLOURS, EDGES, FIELD_NAMES, NEIGHBOURS, TARGETS, TILE_NAMES

WHOLE_BOARD: Final = (1 << 57) - 1


def union(numbers: Iterable[int]) -> int:
    """The set of those numbers."""
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def members(mask: int) -> Iterator[int]:
    """The numbers in a set, in rising order."""
    while mask:
        low = mask & -mask
        mask ^= low
        yield low.bit_length() - 1


TILE_MASK: Final = tuple(7 << 3 * tile for tile in range(19))
TARGET_MASK: Final = tuple(tuple(union(targets) for targets in by_number) for by_number in TARGETS)
"""By colour and number: the move targets."""
EDGE_MASK: Final = tuple(tuple(union(edges) for edges in by_number) for by_number in EDGES)
"""By colour and number: the edge neighbours, fields of the other colour."""

RING: Final = tuple(union(3 * n for n in neighbours if n is not None) for neighbours in NEIGHBOURS)
"""By tile: one bit of each of its neighbours."""


def _removable(neighbours: tuple[int | None, ...]) -> frozenset[int]:
    patterns = {0}
    for first in range(6):
        for sides in (1, 2, 3):
            joined = [neighbours[(first + side) % 6] for side in range(sides)]
            if None not in joined:
                patterns.add(union(3 * n for n in joined if n is not None))
    return frozenset(patterns)


REMOVABLE: Final = tuple(_removable(neighbours) for neighbours in NEIGHBOURS)
"""By tile: the values of `board & RING[tile]` with at most three joined sides, all consecutive (rules §5)."""

CLOCKWISE: Final = tuple(tuple(n for n in neighbours if n is not None) for neighbours in NEIGHBOURS)
"""By tile: its neighbours clockwise from the top."""


def _beside(tile: int, colour: int) -> int:
    """Fields of the colour that share an edge with the tile from outside."""
    inside = [3 * tile + letter for letter in range(3)]
    return union(edge for number in inside for edge in EDGES[1 - colour][number]) & ~TILE_MASK[tile]


BESIDE_TILE: Final = tuple(tuple(_beside(tile, colour) for tile in range(19)) for colour in COLOURS)
"""By colour and tile: the fields of that colour whose edge is open when the tile goes."""


class Step(NamedTuple):
    """All about the move of a piece from one field to another, whatever the position."""

    source: int
    """The bit of the field moved from."""
    target: int
    """The bit of the field moved to."""
    jump: int
    """Both bits."""
    home: int
    """The tile moved from, as three bits."""
    ring: int
    """`RING` of that tile."""
    removable: frozenset[int]
    """`REMOVABLE` of that tile."""
    near: int
    """The edge neighbours of the field moved to."""
    enclosed: tuple[tuple[int, int], ...]
    """For each of them its bit and its own edge neighbours, which are of the mover's colour."""
    flip: int
    """What the move changes in a position's mark."""
    code: bytes
    """The numbers of both fields, a byte each."""
    tile: int
    """The number of the tile moved from."""


def _mark(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:2], "big") & 0x7FFF


_FIELD_MARKS: Final = tuple(tuple(_mark(name) for name in names) for names in FIELD_NAMES)
_TURN_MARK: Final = _mark("side to move")


def _step(colour: int, source: int, target: int) -> Step:
    tile = source // 3
    return Step(
        source=1 << source,
        target=1 << target,
        jump=1 << source | 1 << target,
        home=TILE_MASK[tile],
        ring=RING[tile],
        removable=REMOVABLE[tile],
        near=EDGE_MASK[colour][target],
        enclosed=tuple((1 << edge, EDGE_MASK[1 - colour][edge]) for edge in EDGES[colour][target]),
        flip=_FIELD_MARKS[colour][source] ^ _FIELD_MARKS[colour][target] ^ _TURN_MARK,
        code=bytes((source, target)),
        tile=tile,
    )


STEPS: Final = tuple(
    {
        f"{names[source]}-{names[target]}": _step(colour, source, target)
        for source, targets in enumerate(TARGETS[colour])
        for target in targets
    }
    for colour, names in zip(COLOURS, FIELD_NAMES, strict=True)
)
"""By colour: every move that the empty board allows, by its text."""

ROWS: Final = tuple({text: step[:] for text, step in steps.items()} for steps in STEPS)
"""`STEPS` as plain tuples, which CPython takes apart three times as fast as named ones."""

STEP_OF_CODE: Final = tuple({step.code: step for step in steps.values()} for steps in STEPS)
"""By colour: the same by `Step.code`."""


def _moves_from(colour: int, source: int) -> dict[int, tuple[str, ...]]:
    names = FIELD_NAMES[colour]
    moves: dict[int, tuple[str, ...]] = {0: ()}
    for target in TARGETS[colour][source]:
        text = f"{names[source]}-{names[target]}"
        moves |= {mask | 1 << target: (*texts, text) for mask, texts in moves.items()}
    return moves


MOVES_FROM: Final = tuple(tuple(_moves_from(colour, source) for source in range(57)) for colour in COLOURS)
"""By colour and number: for each set of vacant targets, the moves to them."""

EXCHANGES: Final = tuple({f"x{name}": number for number, name in enumerate(names)} for names in FIELD_NAMES)
"""By the colour of the piece taken: the number of the field, by the exchange's text."""


def tile_names(board: int) -> list[str]:
    """The names of the tiles on the board, in the order of files and ranks."""
    return [name for name, mask in zip(TILE_NAMES, TILE_MASK, strict=True) if board & mask]


def field_names(colour: int, mask: int) -> list[str]:
    """The names of a set of fields, in the order of files, ranks and letters."""
    names = FIELD_NAMES[colour]
    return [names[number] for number in members(mask)]
