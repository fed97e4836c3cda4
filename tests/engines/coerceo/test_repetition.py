from __future__ import annotations

from itertools import pairwise

import pytest

from engines.coerceo.apply import play
from engines.coerceo.game import GAME
from engines.coerceo.outcome import awaited, outcome
from engines.coerceo.state import REPETITION, Ending, State, occurrences
from engines.kit.game import Fact
from tests.engines.coerceo.positions import random_game, start, written

THERE_AND_BACK = ["a1c-a1e", "b1d-b1f", "a1e-a1c", "b1f-b1d"]


def after(state: State, moves: list[str]) -> State:
    for move in moves:
        state, _ = play(state, state.turn, move)
    return state


def test_the_start_counts_as_the_first_occurrence() -> None:
    state = start()
    counts = [state.occurrences]
    for move in THERE_AND_BACK * 2:
        state, _ = play(state, state.turn, move)
        counts.append(state.occurrences)
    assert counts == [1, 1, 1, 1, 2, 2, 2, 2, 3]


def test_the_third_occurrence_draws() -> None:
    state = after(start(), (THERE_AND_BACK * 2)[:-1])
    state, facts = play(state, 1, "b1f-b1d")
    assert state.ending == Ending.REPETITION
    assert list(facts) == [Fact("repetition")]
    ended = outcome(state)
    assert ended is not None
    assert ended.reason == "repetition"
    assert [placement.place for placement in ended.placements] == [1, 1]
    assert awaited(state) == frozenset()


def test_without_the_option_nothing_is_counted_and_nothing_kept() -> None:
    state = after(start(repetition_draw="off"), THERE_AND_BACK * 5)
    assert state.ending == Ending.NONE
    assert state.occurrences == 0
    assert len(GAME.dump(state)) == 34


def test_a_position_with_the_other_side_to_move_is_another() -> None:
    board = written("only c3 c4", "c3a", "c4b c4d", "W", "0,0", REPETITION)
    once = after(board, ["c3a-c3c", "c4b-c4f", "c3c-c3e", "c4f-c4b", "c3e-c3a"])
    assert (once.white, once.black, once.turn) == (board.white, board.black, 1)
    assert once.occurrences == 1


def test_which_piece_stands_where_does_not_matter() -> None:
    board = written("all", "a3a c1c c3a c3c e1c", "c5f e3f", "W", "0,0", REPETITION)
    swapped = after(board, ["c3a-c3e", "e3f-e3b", "c3c-c3a", "e3b-e3d", "c3e-c3c", "e3d-e3f"])
    assert (swapped.white, swapped.black, swapped.turn) == (board.white, board.black, board.turn)
    assert swapped.occurrences == 2


def test_a_capture_a_removal_and_an_exchange_begin_the_count_anew() -> None:
    captures = written("all", "a3a c1c c3a c4c d3c e1c", "a1b c3f c5f e3f", "W", "0,0", REPETITION)
    removes = written("all", "a1e a3a c1c e1c", "a2f b1f c5f e3f", "W", "0,0", REPETITION)
    exchanges = written("all", "a3a c1c e1c", "a1b c3f c5f e3f", "W", "2,0", REPETITION)
    quiet = ["a3a-a3c", "e3f-e3b", "a3c-a3a", "e3b-e3f"]
    for state, move in ((captures, "d3c-c3e"), (removes, "a1e-b2a"), (exchanges, "xc3f")):
        shuffled = after(state, quiet)
        assert shuffled.occurrences == 2
        done = after(shuffled, [move])
        assert (done.occurrences, done.path) == (1, b"")


def test_positions_with_equal_marks_are_still_told_apart() -> None:
    """Marks are 15 bits wide: these games hold different positions with the same one."""
    clashes = 0
    for seed in range(40):
        for (_, _), (state, _) in pairwise(random_game(seed, 700)):
            if state.marks[-1] in state.marks[:-1] and state.occurrences == 1:
                clashes += 1
                assert occurrences(state.path, state.turn) == 1
    assert clashes


@pytest.mark.parametrize("seed", range(6))
def test_counts_are_those_of_the_whole_positions(seed: int) -> None:
    seen: list[tuple[int, int, int]] = []
    for state, _ in random_game(seed, 500, start="ocius"):
        if not state.path:
            seen = []
        seen.append((state.white, state.black, state.turn))
        assert state.occurrences == seen.count(seen[-1])
        assert len(state.marks) == len(seen) == 1 + len(state.path) // 2
