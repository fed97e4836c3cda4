"""Which squares bring a seat nearer to a task, for random play that is steered to tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engines.tashkalar import board
from engines.tashkalar.board import NEIGHBOURS, WITHIN, bits
from engines.tashkalar.cards import TASKS
from engines.tashkalar.pieces import of_colour
from engines.tashkalar.state import State

_AREAS = {
    "red": board.RED,
    "green": board.GREEN,
    "red+green": board.COLOURED,
    "centre9": board.CENTRE9,
    "centre_plus": board.CENTRE_PLUS,
    "centre_times": board.CENTRE_TIMES,
    **{f"row{y}": row for y, row in enumerate(board.ROWS, 1)},
    **{f"col{x}": column for x, column in enumerate(board.COLUMNS, 1)},
}
_CHAINS = {
    "opposite_sides": (*board.ROWS[2:7], *board.COLUMNS[2:7]),
    "opposite_corners": board.DIAGONALS,
}


def aim(task: int, state: State, colour: int) -> int:
    """The squares where own pieces help with the task, taken ones among them; 0 where none does by itself."""
    own = of_colour(state.board, colour)
    enemy = 0
    for other in range(state.rules.colours):
        enemy |= 0 if other == colour else of_colour(state.board, other)
    criteria = TASKS[task].criteria
    return _AIMS.get(criteria["kind"], _nowhere)(criteria, own, enemy)


def _nowhere(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return 0


def _occupy(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return _AREAS[criteria["squares"]]


def _any_of(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return _best([_AREAS[area] for area in criteria["sets"]], own, enemy)


def _line(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return _best([_AREAS[area] for area in criteria["lines"]], own, enemy)


def _best(areas: list[int], own: int, enemy: int) -> int:
    return max(areas, key=lambda area: (area & own).bit_count() - 2 * (area & enemy).bit_count())


def _majority(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return board.COLOURED


def _summoned(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    found = 0
    for area in criteria.get("min_on", {}):
        found |= _AREAS[area]
    return found


def _diagonals(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return board.DIAGONALS[0] | board.DIAGONALS[1]


def _chain(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    return _best(list(_CHAINS[criteria["between"]]), own, enemy)


def _surround(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    able = [NEIGHBOURS[square] for square in bits(enemy) if NEIGHBOURS[square].bit_count() >= criteria["min"]]
    return _best(able, own, enemy) if able else 0


def _isolated(criteria: Mapping[str, Any], own: int, enemy: int) -> int:
    """Around an enemy piece that has another nearby, but none beside it."""
    able = [
        NEIGHBOURS[square]
        for square in bits(enemy)
        if not NEIGHBOURS[square] & enemy and WITHIN[square][criteria["within"]] & enemy ^ 1 << square
    ]
    return min(able, key=lambda area: (area & ~own).bit_count()) if able else 0


_AIMS: Mapping[str, Callable[[Mapping[str, Any], int, int], int]] = {
    "occupy": _occupy,
    "occupy_all_any_of": _any_of,
    "majority_upgraded": _majority,
    "summoned": _summoned,
    "line_difference": _line,
    "diagonals": _diagonals,
    "chain": _chain,
    "surround": _surround,
    "isolation": _isolated,
}
