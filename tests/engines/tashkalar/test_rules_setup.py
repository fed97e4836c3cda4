"""The row of tasks as it is laid out, and who begins when somebody leaves before the first turn (rules §4)."""

from __future__ import annotations

from core.fairness.draw import SeededDraw
from engines.kit.options import full_options
from engines.tashkalar.apply import leave
from engines.tashkalar.cards import TASKS
from engines.tashkalar.game import GAME
from engines.tashkalar.row import laid_out
from engines.tashkalar.state import State
from tests.engines.tashkalar.table import drawing


def draw(seed: int) -> SeededDraw:
    return SeededDraw(seed.to_bytes(32, "big"), 1)


def melee(seats: int) -> State:
    return GAME.setup(full_options(GAME.info, {"form": "melee", "first": "seat_0"}), seats, draw(1))


def test_every_task_can_be_the_next_one_advanced_ones_that_were_set_aside_too() -> None:
    rows = [laid_out(draw(seed), advanced=True) for seed in range(300)]
    assert {next_task for _, next_task, _, _ in rows} == {task.number for task in TASKS}
    assert {number for tasks, *_ in rows for number in tasks} == {task.number for task in TASKS if not task.advanced}


def test_a_third_task_of_one_type_is_set_aside_and_shuffled_back() -> None:
    for seed in range(300):
        order = list(draw(seed).shuffle([task.number for task in TASKS], "tasks"))[::-1]
        normal = [number for number in order if isinstance(number, int) and not TASKS[number].advanced]
        first, second, third = normal[:3]
        if TASKS[first].type == TASKS[second].type == TASKS[third].type:
            tasks, next_task, deck, _ = laid_out(draw(seed), advanced=True)
            fourth = next(number for number in normal[3:] if TASKS[number].type != TASKS[first].type)
            assert tasks == (first, second, fourth)
            assert third in (next_task, *deck)
            return
    raise AssertionError("no seed sets a third one aside")


def test_the_next_seat_sets_the_first_pieces_of_a_melee_when_the_setter_leaves() -> None:
    state, _ = leave(melee(4), 3)
    assert GAME.may_act(state) == {0}
    after, _ = GAME.apply(state, 0, "set;colour-0;f2;colour-2;b7;g6", draw(2))
    assert drawing(after.board) == "f2 |  | b7 | g6"


def test_the_next_seat_begins_with_one_action_when_the_starter_leaves_before_the_first_pieces_are_set() -> None:
    state, _ = leave(melee(3), 0)
    assert (state.turn.seat, state.turn.actions) == (1, 1)
    assert GAME.may_act(state) == {2}


def test_whoever_starts_a_melee_of_four_the_second_has_no_first_piece_and_the_last_sets_them() -> None:
    starters = set()
    for seed in range(30):
        state = GAME.setup(full_options(GAME.info, {"form": "melee"}), 4, draw(seed))
        starter = state.turn.seat
        starters.add(starter)
        assert state.actor() == (starter - 1) % 4
        second = (starter + 1) % 4
        named = {choice.text.rpartition(";")[2] for choice in GAME.choices(state, state.actor(), "set")}
        assert named == {f"colour-{seat}" for seat in range(4) if seat != second}
    assert starters == {0, 1, 2, 3}
