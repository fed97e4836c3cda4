"""Positions to begin from (rules §3, §8), and any other for studies and tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engines.coerceo.board import BLACK, NAMED_FIELDS, NAMED_TILES, TILE_NAMES, WHITE
from engines.coerceo.outcome import ending_of
from engines.coerceo.state import NO_MARKS, REPETITION, State, pack_options
from engines.coerceo.tables import TILE_MASK, union

_STARTS: Final = {
    "laurentius": (
        TILE_NAMES,
        "a1a a1c a2c b1a b2a b2c b4e c4a c4e c5a c5e d1e d2c d2e d4a e1c e1e e2c",
        "a2f a3b a3f b1d b3b b3f b4b c1b c1d c2b c2d d1b d3d d3f d4d e2f e3d e3f",
    ),
    "ocius": (
        ("b2", "b3", "c2", "c3", "c4", "d2", "d3"),
        "b3c b3e c2a c2e c3c d3a d3c",
        "b2d b2f c3f c4b c4d d2b d2f",
    ),
}


def setup(options: Mapping[str, str]) -> State:
    """The state at the start; `options` holds a value for every option. Raises KeyError for what it lacks."""
    tiles, white, black = _STARTS[options["start"]]
    return position(tiles, white.split(), black.split(), options=pack_options(options))


def position(
    tiles: Iterable[str],
    white: Iterable[str],
    black: Iterable[str],
    *,
    turn: int = WHITE,
    stock: tuple[int, int] = (0, 0),
    ply: int = 0,
    options: int = 0,
) -> State:
    """A state from the names of tiles and fields, with nothing before it; `options` are `state`'s bits.

    Raises ValueError for an unknown name, a piece on a field of the other colour or on a tile that is not there.
    """
    board = 0
    for name in tiles:
        if name not in NAMED_TILES:
            raise ValueError(f"there is no tile {name}")
        board |= TILE_MASK[NAMED_TILES[name]]
    pieces = tuple(_pieces(colour, names, board) for colour, names in ((WHITE, white), (BLACK, black)))
    state = State(
        white=pieces[WHITE],
        black=pieces[BLACK],
        board=board,
        stock_white=stock[WHITE],
        stock_black=stock[BLACK],
        turn=turn,
        ply=ply,
        options=options,
        ending=0,
        cura=False,
        path=b"",
        marks=NO_MARKS,
        occurrences=1 if options & REPETITION else 0,
    )
    return state._replace(ending=int(ending_of(state)))


def _pieces(colour: int, names: Iterable[str], board: int) -> int:
    numbers = []
    for name in names:
        at, number = NAMED_FIELDS.get(name, (-1, 0))
        if at != colour:
            raise ValueError(f"{name} is no field of {('White', 'Black')[colour]}")
        if not board >> number & 1:
            raise ValueError(f"{name} is on a tile that is not there")
        numbers.append(number)
    return union(numbers)
