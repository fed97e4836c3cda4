"""The state of a game, its canonical bytes, and what its options and endings are called."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from engines.coerceo.tables import STEP_OF_CODE, WHOLE_BOARD

OCIUS: Final = 1
"""Option bit: the game began from the small position."""
COST_ONE: Final = 2
"""Option bit: an exchange costs one tile, not two."""
CURA: Final = 4
"""Option bit: threats are announced."""
REPETITION: Final = 8
"""Option bit: the third occurrence of a position is a draw."""
DEAD_POSITION: Final = 16
"""Option bit: a position in which nobody can ever capture is a draw."""


class Ending(IntEnum):
    """How the game ended; numbers are stored."""

    NONE = 0
    WHITE_WON = 1
    """Black has no pieces."""
    BLACK_WON = 2
    """White has no pieces."""
    BLACK_LEFT = 3
    WHITE_LEFT = 4
    NO_ACTION = 5
    REPETITION = 6
    DEAD_POSITION = 7


class State(NamedTuple):
    """A position with what the rest of the game depends on. Sets are bit tables' ints, see `tables`.

    `marks` and `occurrences` follow from `path`; they are there for speed.
    """

    white: int
    """Fields with a white piece."""
    black: int
    """Fields with a black piece."""
    board: int
    """Tiles on the board, three bits each."""
    stock_white: int
    stock_black: int
    turn: int
    """The colour to move."""
    ply: int
    """Turns played."""
    options: int
    """Option bits."""
    ending: int
    """An `Ending`; 0 while the game goes on. A plain int: enum members are slow to compare."""
    cura: bool
    """With option `cura`: the side that has just moved threatens to capture by a plain move."""
    path: bytes
    """With option `repetition_draw`: the moves since the last capture, removal or exchange, two bytes each."""
    marks: str
    """A character for the position before each move of `path` and one for the present: equal positions, equal ones."""
    occurrences: int
    """How often this position has occurred along `path`, this time included; 0 without option `repetition_draw`."""


NO_MARKS: Final = "\0"
"""`marks` where `path` is empty: marks are relative to where the path begins."""


def pack_options(options: Mapping[str, str]) -> int:
    """Option bits from values by option name. Raises KeyError for a missing one."""
    return (
        (options["start"] == "ocius") * OCIUS
        | (options["exchange_cost"] == "1") * COST_ONE
        | (options["cura"] == "on") * CURA
        | (options["repetition_draw"] == "on") * REPETITION
        | (options["dead_position_draw"] == "on") * DEAD_POSITION
    )


def cost(options: int) -> int:
    """Tiles that an exchange costs: 1 or 2."""
    return 1 if options & COST_ONE else 2


def along(path: bytes, turn: int) -> tuple[str, int]:
    """The marks of the positions along a path that ends with the colour `turn` to move, and the last one's count.

    Raises KeyError when the path holds what is no move, ValueError when its length is odd.
    """
    if len(path) % 2:
        raise ValueError(f"a path has two bytes a move, not {len(path)}")
    colour = (turn + len(path) // 2) % 2
    mark = 0
    marks = [NO_MARKS]
    for at in range(0, len(path), 2):
        mark ^= STEP_OF_CODE[colour][path[at : at + 2]].flip
        marks.append(chr(mark))
        colour = 1 - colour
    return "".join(marks), occurrences(path, turn)


_CHANGES: Final = tuple(
    {code: step.jump << 57 * colour | 1 << 114 for code, step in steps.items()}
    for colour, steps in enumerate(STEP_OF_CODE)
)
"""By the colour that moved and the move's code: what it changes in a position, its side to move included."""


def occurrences(path: bytes, turn: int) -> int:
    """How often the position at the end of a path has occurred along it, exactly: the path is walked back.

    `turn` is the colour to move at its end. Raises KeyError when the path holds what is no move.
    """
    count = 1
    changed = 0
    changes, others = _CHANGES[1 - turn], _CHANGES[turn]
    for at in range(len(path) - 2, -1, -2):
        changed ^= changes[path[at : at + 2]]
        changes, others = others, changes
        if not changed:
            count += 1
    return count


_LAYOUT: Final = struct.Struct(">3QI6B")
HEAD_BYTES: Final = _LAYOUT.size
"""Bytes of a dump before the path."""
_pack = _LAYOUT.pack


def dump(state: State) -> bytes:
    """Canonical bytes, big-endian: white, black, board (8 each), ply (4), then a byte each for the stocks of White and
    Black, turn, options, ending, cura; then the path. 34 bytes and two for each quiet move in a row.
    """
    white, black, board, stock_white, stock_black, turn, ply, options, ending, cura, path, _, _ = state
    return _pack(white, black, board, ply, stock_white, stock_black, turn, options, ending, cura) + path


def load(data: bytes) -> State:
    """The state that `dump` wrote. Raises ValueError for bytes that it cannot have written."""
    if len(data) < HEAD_BYTES:
        raise ValueError(f"a Coerceo state has at least {HEAD_BYTES} bytes, not {len(data)}")
    white, black, board, ply, stock_white, stock_black, turn, options, ending, cura = _LAYOUT.unpack_from(data)
    if (white | black | board) & ~WHOLE_BOARD or turn > 1 or cura > 1 or ending not in _ENDINGS:
        raise ValueError("these bytes are no Coerceo state")
    state = State(
        white, black, board, stock_white, stock_black, turn, ply, options, ending, cura == 1, b"", NO_MARKS, 0
    )
    return with_path(state, data[HEAD_BYTES:])


_ENDINGS: Final = frozenset(int(ending) for ending in Ending)


def with_path(state: State, path: bytes) -> State:
    """The state with the quiet moves that led to it. Raises ValueError when it keeps none or these cannot be."""
    if not state.options & REPETITION:
        if path:
            raise ValueError("a state without option repetition_draw keeps no path")
        return state
    try:
        marks, count = along(path, state.turn)
    except KeyError as error:
        raise ValueError(f"the path holds {error}, which is no move") from error
    return state._replace(path=path, marks=marks, occurrences=count)
