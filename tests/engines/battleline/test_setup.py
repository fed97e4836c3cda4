"""The deal, the first player and the series (rules §2, §6)."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from core.fairness.draw import SeededDraw
from engines.battleline.cards import NAMES, NUMBERS, value
from engines.battleline.game import GAME
from engines.battleline.meta import DEFAULTS
from engines.battleline.state import State, Step
from engines.kit.conformance import random_move
from tests.engines.battleline.table import ALL, all_moves, everything, front, play, tell


def begin(seed: int, **options: str) -> State:
    return GAME.setup({**DEFAULTS, **options}, 2, SeededDraw(seed.to_bytes(4, "big"), 1))


def test_seven_troops_each_and_both_decks_face_down() -> None:
    state = begin(1)
    assert [len(hand) for hand in state.hands] == [7, 7]
    assert all(card < 60 for hand in state.hands for card in hand)
    assert [len(deck) for deck in state.decks] == [46, 10]
    assert everything(state) == ALL


def test_without_tactics_there_is_no_tactics_deck() -> None:
    state = begin(1, tactics="off")
    assert state.decks[1] == ()
    assert first_draws(state) == {"draw:troop"}


def first_draws(state: State) -> set[str]:
    return set(all_moves(play(state, all_moves(state)[0])))


def test_the_deal_follows_from_the_shuffle_of_the_draw() -> None:
    draw = SeededDraw((7).to_bytes(4, "big"), 1)
    starter = draw.below(2, "starter")
    troops, tactics = draw.shuffle(range(60), "troops"), draw.shuffle(range(60, 70), "tactics")
    state = begin(7)
    assert state.turn == state.starter == starter
    assert state.hands == (tuple(sorted(troops[:7])), tuple(sorted(troops[7:14])))
    assert state.decks == (troops[:13:-1], tactics[::-1])


@pytest.mark.parametrize(("option", "seat"), [("seat_0", 0), ("seat_1", 1)])
def test_a_given_seat_starts(option: str, seat: int) -> None:
    assert {begin(seed, first=option).turn for seed in range(20)} == {seat}


def test_by_lot_both_seats_start_about_as_often() -> None:
    counted = Counter(begin(seed).turn for seed in range(400))
    assert 150 < counted[0] < 250


@pytest.mark.parametrize(("option", "higher_starts"), [("high_cut_starts", True), ("high_cut_deals", False)])
def test_the_cut_decides_who_starts_and_is_shown(option: str, higher_starts: bool) -> None:
    for seed in range(40):
        state = begin(seed, first=option)
        first, second = (value(card) for card in state.cut)
        assert first != second
        assert (state.turn == (0 if first > second else 1)) == higher_starts
        shown = GAME.view(state, -1)
        assert [NUMBERS[name] for name in shown.cut] == list(state.cut)  # type: ignore[attr-defined]
        assert everything(state) == ALL


def test_a_cut_of_equal_values_is_drawn_again() -> None:
    equal = ("R5", "O5", "Y3", "B9")

    class Stacked:
        def below(self, n: int, purpose: str) -> int:
            return 0

        def shuffle(self, items: object, purpose: str) -> tuple[object, ...]:
            order = [NAMES[int(str(card))] for card in items]  # type: ignore[attr-defined]
            if purpose == "cut":
                order = [*equal, *(name for name in order if name not in equal)]
            return tuple(NUMBERS[name] for name in order)

    state = GAME.setup({**DEFAULTS, "first": "high_cut_starts"}, 2, Stacked())
    assert [NAMES[card] for card in state.cut] == ["Y3", "B9"]
    assert state.turn == 1


def win(state: State) -> State:
    """The seat on turn wins at once: it is given two flags and a sure third."""
    seat = state.turn
    sides = ("R8 R9 R10", "") if seat == 0 else ("", "R8 R9 R10")
    flags = (front(owner=seat), front(owner=seat), front(*sides), *state.fronts[3:])
    state = state._replace(fronts=flags, step=Step.CLOSE, hands=((), ()))
    return play(state, "claim:3")


def test_a_series_deals_again_and_the_other_seat_starts() -> None:
    state = win(begin(3, series="3", first="seat_0"))
    assert GAME.outcome(state) is None
    assert len(state.results) == 1
    assert state.turn == state.starter == 1
    assert everything(state) == ALL
    assert state.played == (0, 0)


def test_the_points_of_a_series_are_added_up() -> None:
    state = begin(3, series="3", first="seat_0")
    for _ in range(3):
        state = win(state)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "series"
    assert [(place.place, place.score) for place in outcome.placements] == [(1, 10), (2, 5)]


def test_equal_points_in_a_series_share_the_first_place() -> None:
    state = win(win(begin(3, series="2", first="seat_0")))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert [(place.place, place.score) for place in outcome.placements] == [(1, 5), (1, 5)]


def test_the_end_of_a_game_in_a_series_is_told_with_the_next_deal() -> None:
    state = begin(3, series="2", first="seat_1")
    flags = (front(owner=1), front(owner=1), front("", "R8 R9 R10"), *state.fronts[3:])
    _, facts = tell(state._replace(fronts=flags, step=Step.CLOSE), "claim:3")
    assert [fact.kind for fact in facts] == ["claimed_tie", "won_breakthrough", "dealt"]


def test_who_leaves_a_series_has_lost_it_whatever_the_points() -> None:
    state = win(begin(3, series="5", first="seat_0"))
    state, _ = GAME.leave(state, 0, SeededDraw(b"x", 9))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.reason == "resigned"
    assert [place.place for place in outcome.placements] == [2, 1]


def test_a_random_series_plays_all_its_games() -> None:
    rng = random.Random(5)
    state = begin(5, series="3")
    seq = 1
    while state.actor() >= 0:
        seq += 1
        move = random_move(GAME, state, state.actor(), rng)
        state, _ = GAME.apply(state, state.actor(), move, SeededDraw(b"series", seq))
    assert len(state.results) == 3
