from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engines.tashkalar.cards import TASK, TASKS, Task
from engines.tashkalar.state import Form, State, Summoned
from engines.tashkalar.tasks import claimable, holds
from tests.engines.tashkalar.task_cases import CASES, Case, state_of

Judge = Callable[[Task, State], bool]

ALL_CASES = [
    pytest.param(TASKS[TASK[key]], case, id=f"{key}: {case.told}") for key, cases in CASES.items() for case in cases
]


def failing(task: Task, judge: Judge) -> list[str]:
    """The cases of the task that the judge gets wrong."""
    cases = CASES[task.key]
    return [case.told for case in cases if judge(task, state_of(case, seat=0)) is not case.expected]


def altered(criteria: Any) -> Iterator[Any]:
    """The criteria with one number one higher or lower, or with one of several lines, areas or options left out."""
    if isinstance(criteria, int):
        yield from (criteria - 1, criteria + 1)
    elif isinstance(criteria, dict):
        for key, value in criteria.items():
            yield from ({**criteria, key: other} for other in altered(value))
    elif isinstance(criteria, list):
        for at, value in enumerate(criteria):
            yield from ([*criteria[:at], other, *criteria[at + 1 :]] for other in altered(value))
            yield [*criteria[:at], *criteria[at + 1 :]]


@pytest.mark.parametrize(("task", "case"), ALL_CASES)
def test_a_condition_holds_where_the_rules_say_so_for_either_side(task: Task, case: Case) -> None:
    for seat in (0, 1):
        assert holds(task, state_of(case, seat)) is case.expected


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.key)
def test_partners_judge_by_their_common_colour(task: Task) -> None:
    for case in CASES[task.key]:
        for seat in range(4):
            assert holds(task, state_of(case, seat, Form.TEAM_HIGH)) is case.expected


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.key)
def test_a_condition_without_effect_fails_the_cases_of_its_task(task: Task) -> None:
    assert failing(task, holds) == []
    assert failing(task, lambda _, state: False)
    assert failing(task, lambda _, state: True)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.key)
def test_every_number_line_and_option_of_a_condition_is_a_boundary_of_a_case(task: Task) -> None:
    for criteria in altered(dict(task.criteria)):
        assert failing(task._replace(criteria=criteria), holds), criteria


def test_pieces_of_the_own_colour_that_were_destroyed_do_not_count() -> None:
    state = state_of(Case("", True, destroyed="CC"), seat=0)
    destroyed = (5, 5, 5, *state.turn.destroyed[3:])
    state = state._replace(turn=state.turn._replace(destroyed=destroyed))
    assert not holds(TASKS[TASK["destruction"]], state)


def test_all_current_tasks_that_hold_can_be_claimed_and_no_others() -> None:
    state = state_of(Case("", True, destroyed="CCC", summoned="Ce5 Hd2"), seat=1)
    current = tuple(TASK[key] for key in ("devastation", "red-summoning", "destruction"))
    assert claimable(state._replace(tasks=current, next_task=TASK["colored-summoning"])) == current[1:]


def test_a_legend_counts_by_the_rank_that_was_recorded_not_by_what_stands_there() -> None:
    state = state_of(Case("", True, own="Ha4 Le4"), seat=0)
    summoned = (Summoned(state.board[1].bit_length() - 1, 1), Summoned(state.board[2].bit_length() - 1, 2))
    task = TASKS[TASK["legendary-summoning"]]
    assert not holds(task, state)
    assert holds(task, state._replace(turn=state.turn._replace(summoned=summoned)))
