"""A view as text for a terminal: every field is a triangle with its name and what stands on it.

The board is a grid of 15 by 10 triangles (rules §2), each three lines high: a field at column c begins at character
3 c, points up when it is White's, and shares its slanted sides with the fields beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from google.protobuf.message import Message
from hamle.coerceo.v1 import coerceo_pb2 as pb

from engines.coerceo.board import FIELDS, NAMED_FIELDS, WHITE, Field
from engines.coerceo.meta import INFO
from engines.coerceo.state import Ending

_COLUMNS: Final = 15
_ROWS: Final = 10
_HEIGHT: Final = 3
_MARGIN: Final = 2
_SIGNS: Final = ("()", "##")
"""A white piece, a black piece."""

_SIDE_LABELS: Final = ("label.white", "label.black")
_WINNER: Final = {Ending.WHITE_WON: 0, Ending.BLACK_LEFT: 0, Ending.BLACK_WON: 1, Ending.WHITE_LEFT: 1}


def text(view: Message, language: str) -> str:
    """The board with all names, then both sides, whose turn it is and how the game stands; at most 60 columns.

    A language without a catalogue gets English. Raises ValueError for a view of another game.
    """
    if not isinstance(view, pb.View):
        raise ValueError(f"a {view.DESCRIPTOR.full_name} is no view of Coerceo")
    return "\n".join([*_board(view), "", *_below(view, language)]) + "\n"


def grid_place(field: Field) -> tuple[int, int]:
    """Row and column of a field in the grid of rules §2, row 0 on top."""
    x, y, f = field
    row, column = 4 - 2 * y - x, 6 + 3 * x
    if f in (5, 0, 1):
        return row, column + (f + 1) % 6
    return row + 1, column + 4 - f


def _board(view: pb.View) -> list[str]:
    canvas = [[" "] * (_MARGIN + 3 * (_COLUMNS + 1)) for _ in range(_HEIGHT * _ROWS + 1)]
    pieces = (frozenset(view.white.split()), frozenset(view.black.split()))
    tiles = frozenset(view.tiles.split())
    for name, (colour, number) in NAMED_FIELDS.items():
        if name[:2] in tiles:
            sign = _SIGNS[colour] if name in pieces[colour] else "  "
            row, column = grid_place(FIELDS[colour][number])
            _triangle(canvas, 1 + _HEIGHT * row, _MARGIN + 3 * column, colour == WHITE, name, sign)
    lines = ["".join(line).rstrip() for line in canvas]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def _triangle(canvas: list[list[str]], top: int, left: int, up: bool, name: str, sign: str) -> None:
    """Draws a field; the level side is on its lowest line when it points up, else on the line above it."""
    for line in range(_HEIGHT):
        inset = 2 - line if up else line
        canvas[top + line][left + inset] = "/" if up else "\\"
        canvas[top + line][left + 5 - inset] = "\\" if up else "/"
    level = top + 2 if up else top - 1
    for column in range(left + 1, left + 5):
        if canvas[level][column] == " ":
            canvas[level][column] = "_"
    names = top + 2 if up else top
    canvas[names][left + 1 : left + 4] = name
    canvas[top + 1][left + 2 : left + 4] = sign


def _below(view: pb.View, language: str) -> list[str]:
    labels = INFO.catalogues.get(language, INFO.catalogues["en"])
    sides = [labels[label] for label in _SIDE_LABELS]
    lines = [
        labels["label.side"].format(side=sides[seat], sign=_SIGNS[seat], pieces=len(names.split()), tiles=held)
        for seat, (names, held) in enumerate(zip((view.white, view.black), view.stock, strict=True))
    ]
    price = labels["label.exchange_cost"].format(cost=view.options.exchange_cost)
    status = [labels["label.ply"].format(ply=view.ply), _standing(view, labels, sides), price]
    if view.cura:
        status.append(labels["cura"])
    if view.occurrences > 1 and not view.ending:
        status.append(labels["label.occurrences"].format(count=view.occurrences))
    return [*lines, "  ".join(status)]


def _standing(view: pb.View, labels: Mapping[str, str], sides: list[str]) -> str:
    """Whose turn it is, who has won, or why it is a draw."""
    if not view.ending:
        return labels["label.to_move"].format(side=sides[view.turn])
    ending = Ending(view.ending)
    if ending in _WINNER:
        return labels["label.won"].format(side=sides[_WINNER[ending]])
    return labels[ending.name.lower()]
