"""Whether the seat on turn may claim a task: the criteria of `data/tasks.json`, judged as its turn ends (rules §11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from engines.tashkalar import board
from engines.tashkalar.board import NEIGHBOURS, around, bits
from engines.tashkalar.cards import TASKS, Task
from engines.tashkalar.pieces import COMMON, HEROIC, LEGENDARY, of_colour
from engines.tashkalar.state import State, Summoned

Criteria = Mapping[str, Any]

_AREAS: Final = {
    "red": board.RED,
    "green": board.GREEN,
    "red+green": board.COLOURED,
    "centre9": board.CENTRE9,
    "centre_plus": board.CENTRE_PLUS,
    "centre_times": board.CENTRE_TIMES,
    **{f"row{y}": row for y, row in enumerate(board.ROWS, 1)},
    **{f"col{x}": column for x, column in enumerate(board.COLUMNS, 1)},
}
_OPPOSITE: Final = {
    "opposite_sides": ((board.LEFT, board.RIGHT), (board.TOP, board.BOTTOM)),
    "opposite_corners": ((board.NORTH_WEST, board.SOUTH_EAST), (board.NORTH_EAST, board.SOUTH_WEST)),
}


class _Scene(NamedTuple):
    """What a task is judged by: own and enemy squares, upgraded ones again, and what happened in the turn."""

    own: int
    own_upgraded: int
    own_legendary: int
    enemy: int
    enemy_upgraded: int
    destroyed: tuple[int, int, int]
    summoned: tuple[Summoned, ...]


def holds(task: Task, state: State) -> bool:
    """Whether the task's condition is met for the seat on turn. Whether it may be claimed at all is not asked."""
    return _JUDGES[task.criteria["kind"]](task.criteria, _scene(state))


def claimable(state: State) -> tuple[int, ...]:
    """The current tasks whose conditions hold, in the order in which they lie."""
    return tuple(number for number in state.tasks if holds(TASKS[number], state))


def _scene(state: State) -> _Scene:
    colour = state.colour(state.turn.seat)
    mine = slice(3 * colour, 3 * colour + 3)
    common, heroic, legendary = state.board[mine]
    others = [other for other in range(len(state.board) // 3) if other != colour]
    enemy = enemy_commons = 0
    for other in others:
        enemy |= of_colour(state.board, other)
        enemy_commons |= state.board[3 * other + COMMON]
    destroyed = [sum(state.turn.destroyed[3 * other + rank] for other in others) for rank in range(3)]
    return _Scene(
        own=common | heroic | legendary,
        own_upgraded=heroic | legendary,
        own_legendary=legendary,
        enemy=enemy,
        enemy_upgraded=enemy & ~enemy_commons,
        destroyed=(destroyed[COMMON], destroyed[HEROIC], destroyed[LEGENDARY]),
        summoned=state.turn.summoned,
    )


def _reaches(count: int, criteria: Criteria, bound: str) -> bool:
    """Whether the count is as high as the bound, if there is that bound."""
    least: int = criteria.get(bound, 0)
    return count >= least


def _destroyed(criteria: Criteria, scene: _Scene) -> bool:
    upgraded = scene.destroyed[HEROIC] + scene.destroyed[LEGENDARY]
    return _reaches(sum(scene.destroyed), criteria, "min") and _reaches(upgraded, criteria, "min_upgraded")


def _destroyed_any_of(criteria: Criteria, scene: _Scene) -> bool:
    counts = {"heroic": scene.destroyed[HEROIC], "legendary": scene.destroyed[LEGENDARY]}
    return any(all(counts[rank] >= least for rank, least in option.items()) for option in criteria["options"])


def _occupy(criteria: Criteria, scene: _Scene) -> bool:
    area = _AREAS[criteria["squares"]]
    return (
        _reaches((scene.own & area).bit_count(), criteria, "min")
        and _reaches((scene.own_upgraded & area).bit_count(), criteria, "min_upgraded")
        and _reaches((scene.own_legendary & area).bit_count(), criteria, "min_legendary")
    )


def _occupy_all_any_of(criteria: Criteria, scene: _Scene) -> bool:
    return any(not _AREAS[area] & ~scene.own for area in criteria["sets"])


def _majority_upgraded(criteria: Criteria, scene: _Scene) -> bool:
    return all(
        (scene.own_upgraded & _AREAS[area]).bit_count() > (scene.enemy_upgraded & _AREAS[area]).bit_count()
        for area in criteria["squares"]
    )


def _summoned(criteria: Criteria, scene: _Scene) -> bool:
    legends = sum(summon.rank == LEGENDARY for summon in scene.summoned)
    return (
        _reaches(len(scene.summoned), criteria, "min")
        and _reaches(legends, criteria, "min_legendary")
        and all(
            sum(_AREAS[area] >> summon.square & 1 for summon in scene.summoned) >= least
            for area, least in criteria.get("min_on", {}).items()
        )
    )


def _line_difference(criteria: Criteria, scene: _Scene) -> bool:
    return any(
        (scene.own & _AREAS[line]).bit_count() - (scene.enemy & _AREAS[line]).bit_count() >= criteria["min"]
        for line in criteria["lines"]
    )


def _diagonals(criteria: Criteria, scene: _Scene) -> bool:
    return all(
        (scene.own & line).bit_count() >= criteria["min"]
        and (scene.own_upgraded & line).bit_count() >= criteria["min_upgraded"]
        for line in board.DIAGONALS
    )


def _chain(criteria: Criteria, scene: _Scene) -> bool:
    return any(_grown(scene.own & start, scene.own) & end for start, end in _OPPOSITE[criteria["between"]])


def _surround(criteria: Criteria, scene: _Scene) -> bool:
    return any((NEIGHBOURS[square] & scene.own).bit_count() >= criteria["min"] for square in bits(scene.enemy))


def _isolation(criteria: Criteria, scene: _Scene) -> bool:
    empty = board.ALL & ~(scene.own | scene.enemy)
    for square in bits(scene.enemy):
        others = scene.enemy ^ 1 << square
        if board.WITHIN[square][criteria["within"]] & others:
            reached = _grown(1 << square, empty, criteria["steps"])
            if not around(reached) & others:
                return True
    return False


def _grown(start: int, over: int, steps: int = board.SQUARES) -> int:
    """What can be reached from the start in so many steps over these squares; the start in any case."""
    reached, last = start, 0
    while steps and reached != last:
        reached, last = reached | around(reached) & over, reached
        steps -= 1
    return reached


_JUDGES: Final[Mapping[str, Callable[[Criteria, _Scene], bool]]] = {
    "destroyed": _destroyed,
    "destroyed_any_of": _destroyed_any_of,
    "occupy": _occupy,
    "occupy_all_any_of": _occupy_all_any_of,
    "majority_upgraded": _majority_upgraded,
    "summoned": _summoned,
    "line_difference": _line_difference,
    "diagonals": _diagonals,
    "chain": _chain,
    "surround": _surround,
    "isolation": _isolation,
}
