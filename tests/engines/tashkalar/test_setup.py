"""How games of each form begin (rules §4, §13, §15), and what a match is played with."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import IllegalMove
from engines.kit.options import full_options
from engines.tashkalar.board import MELEE_SYMBOLS, NAMED, bits
from engines.tashkalar.cards import DECKS, TASKS
from engines.tashkalar.game import GAME
from engines.tashkalar.row import laid_out, turned_up
from engines.tashkalar.state import Form, State
from tests.engines.tashkalar.table import drawing

SEEDS = range(30)


def draw(seed: int) -> SeededDraw:
    return SeededDraw(seed.to_bytes(32, "big"), 1)


def started(seats: int = 2, seed: int = 1, **options: str) -> State:
    return GAME.setup(full_options(GAME.info, options), seats, draw(seed))


@pytest.mark.parametrize(
    ("form", "seats", "wanted", "counters", "colours"),
    [
        ("high", 2, Form.HIGH, 17, 2),
        ("high", 3, Form.MELEE, 15, 3),
        ("high", 4, Form.TEAM_HIGH, 17, 2),
        ("duel", 2, Form.DUEL, 16, 2),
        ("duel", 4, Form.TEAM_DUEL, 16, 2),
        ("melee", 2, Form.DUEL, 16, 2),
        ("melee", 3, Form.MELEE, 15, 3),
        ("melee", 4, Form.MELEE, 14, 4),
        ("first", 2, Form.FIRST, 17, 2),
        ("first", 4, Form.TEAM_HIGH, 17, 2),
    ],
)
def test_the_form_follows_from_the_option_and_the_seats(
    form: str, seats: int, wanted: Form, counters: int, colours: int
) -> None:
    state = started(seats, form=form)
    assert (state.rules.form, state.rules.counters, state.rules.colours) == (wanted, counters, colours)


def test_everybody_is_dealt_three_beings_two_legends_and_a_flare_of_whole_decks() -> None:
    for seed in SEEDS:
        state = started(3, seed, deck_1="nethervoid")
        for seat, player in enumerate(state.players):
            assert (len(player.beings), len(player.legends), len(player.flares)) == (3, 2, 1)
            assert sorted((*player.deck, *player.beings)) == list(DECKS[state.rules.decks[seat]])
        dealt = [card for player in state.players for card in player.legends]
        assert sorted((*state.legends, *dealt)) == list(DECKS["legends"])
        flares = [card for player in state.players for card in player.flares]
        assert sorted((*state.flares, *flares)) == list(range(12))


def test_the_starting_player_has_one_action_and_is_drawn_by_lot() -> None:
    starters = set()
    for seed in SEEDS:
        state = started(4, seed, form="melee")
        starters.add(state.turn.seat)
        assert state.turn.actions == 1
        assert [player.turns for player in state.players] == [int(seat == state.turn.seat) for seat in range(4)]
    assert starters == {0, 1, 2, 3}
    assert {started(2, seed, first="seat_0").turn.seat for seed in SEEDS} == {0}


def test_in_teams_the_earlier_partners_hold_the_legends() -> None:
    for seed in SEEDS:
        state = started(4, seed)
        first = state.turn.seat
        held = [len(state.players[(first + turn) % 4].legends) for turn in range(4)]
        assert held == [2, 2, 0, 0]


def test_three_normal_tasks_lie_open_not_all_of_a_type_and_the_rest_is_shuffled_again() -> None:
    for seed in range(200):
        tasks, next_task, deck, buried = laid_out(draw(seed), advanced=True)
        types = [TASKS[number].type for number in (*tasks, next_task)]
        assert not any(TASKS[number].advanced for number in tasks)
        assert len(set(types[:3])) > 1
        assert max(map(types.count, types)) < 3
        assert sorted((*tasks, next_task, *deck)) == list(range(24))
        assert 0 <= buried < len(deck)


def test_the_next_task_lies_as_it_is_when_no_other_type_is_left() -> None:
    destruction = tuple(task.number for task in TASKS if task.type == "destruction")
    assert turned_up(destruction[:2], destruction[2:4], 0) == (destruction[3], destruction[2:3], 1)
    assert turned_up(destruction[:2], (), 0) == (-1, (), 0)


def test_the_first_game_has_empires_and_neither_legends_nor_advanced_tasks_nor_discarding() -> None:
    for seed in SEEDS:
        state = started(2, seed, form="first", deck_0="sylvan")
        assert state.rules.decks == ("imperial", "imperial")
        assert not state.legends
        assert not any(player.legends for player in state.players)
        assert not any(TASKS[task].advanced for task in (*state.tasks, state.next_task, *state.task_deck))
        assert [choice.text for choice in GAME.choices(state, state.turn.seat)] == ["P:"]


def test_who_has_the_last_turn_of_the_round_sets_the_first_pieces() -> None:
    state = started(2, first="seat_0", form="duel")
    assert GAME.may_act(state) == {1}
    for square, board in (("c5", "g5 | c5"), ("g5", "c5 | g5")):
        after, _ = GAME.apply(state, 1, f"set;{square}", draw(2))
        assert drawing(after.board) == board
        assert GAME.may_act(after) == {0}
        assert after.turn.actions == 1
        assert GAME.barrier(state, after)
    state = started(4, first="seat_0", form="duel")
    assert GAME.may_act(state) == {3}
    after, _ = GAME.apply(state, 3, "set;g5", draw(2))
    assert drawing(after.board) == "c5 | g5"


@pytest.mark.parametrize(("seats", "setting", "colours"), [(3, 2, {0, 1, 2}), (4, 3, {0, 2, 3})])
def test_a_melee_begins_with_a_piece_beside_each_symbol(seats: int, setting: int, colours: set[int]) -> None:
    state = started(seats, first="seat_0", form="melee")
    moves = complete(state, setting)
    assert len(moves) == 6 * 2**3
    for move in moves:
        after, _ = GAME.apply(state, setting, move, draw(2))
        assert {piece // 3 for piece, mask in enumerate(after.board) if mask} == colours
        standing = sorted(square for mask in after.board for square in bits(mask))
        assert all(sum(square in pair for square in standing) == 1 for pair in MELEE_SYMBOLS)


def complete(state: State, seat: int, prefix: str = "") -> list[str]:
    found = []
    for choice in GAME.choices(state, seat, prefix):
        found += [choice.text] if choice.complete else complete(state, seat, choice.text)
    return found


def test_nothing_else_can_be_done_before_the_first_pieces_are_set() -> None:
    state = started(2, first="seat_0", form="duel")
    with pytest.raises(IllegalMove, match="cannot come now"):
        GAME.apply(state, 1, "P:e5", draw(2))
    with pytest.raises(IllegalMove, match="no answer"):
        GAME.apply(state, 1, "set;e5", draw(2))
    after, _ = GAME.apply(state, 1, "set;c5", draw(2))
    assert after.board[3] == 1 << NAMED["c5"]
    with pytest.raises(IllegalMove, match="cannot come now"):
        GAME.apply(after, 0, "set;c5", draw(3))


def test_every_value_of_every_option_can_be_played_by_all_numbers_of_seats() -> None:
    for option in GAME.info.options:
        for value in option.values:
            named: Mapping[str, str] = {option.name: value}
            for seats in (2, 3, 4):
                assert GAME.awaited(started(seats, 1, **named))
