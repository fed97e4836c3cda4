"""Rulings R56 and R57: the end without a winner, seats that leave."""

from __future__ import annotations

from itertools import permutations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import hand, left, play, position

BASE = Rules()


@pytest.mark.parametrize(("number", "reason"), [(199, ""), (200, "round_cap")])
def test_r56_a_draw_after_two_hundred_full_rounds(number: int, reason: str) -> None:
    state = position("camera", "camera", rules=BASE, active=1)._replace(round=number)
    after = play(state, "1 draw")
    assert (after.reason, after.winner) == (reason, -1)
    outcome = GAME.outcome(after)
    assert outcome is None if not reason else outcome is not None and {p.place for p in outcome.placements} == {1}


def test_r57_the_hand_is_discarded_in_random_order_and_country_and_character_leave() -> None:
    held = "camera sunscreen bug_spray rain_jacket"
    state = position(held, "camera", "camera", characters="haggler smuggler overpacker", rules=BASE)
    orders = {left(state, 0, seed).discard for seed in range(12)}
    assert len(orders) > 4
    assert all(sorted(HOUSE.ids(order)) == sorted(held.split()) for order in orders)
    after = left(state, 0)
    assert (after.places[0].country, after.places[0].character, after.places[0].here) == (-1, -1, False)
    turkey = HOUSE.country_numbers["turkey"]
    assert turkey not in (*after.aside, *after.queue, after.centre, *(place.country for place in after.places))
    assert (after.active, after.agenda[-1].kind) == (1, Kind.ACTION)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_r57_the_last_one_left_wins(order: tuple[int, ...]) -> None:
    state = left(left(position("camera", "camera", "camera", rules=BASE), order[0]), order[1])
    assert (state.winner, state.reason) == (order[2], "last_left")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert {p.seat: p.place for p in outcome.placements} == {order[2]: 1, order[1]: 2, order[0]: 3}


def test_r57_others_play_on_without_the_seat() -> None:
    state = left(position("camera", "camera", "camera", pile="sunscreen " * 9, rules=BASE), 1)
    for seat in (0, 2, 0, 2):
        assert GAME.awaited(state) == {seat}
        state = play(state, f"{seat} draw")
    assert state.round == 3
    assert hand(state, 1) == ""
    assert not GAME.choices(state, 1)


def test_r57_who_leaves_in_a_window_is_not_waited_for_and_a_thief_who_leaves_takes_nothing() -> None:
    window = play(position(TURKEY, "camera", "camera", "camera"), "0 travel")
    assert GAME.awaited(left(window, 2)) == {1, 3}
    assert left(play(window, "1 pass", "3 pass"), 2).places[0].done
    theft = play(position("camera camera", "camera sunscreen", "camera"), "0 steal:1:camera")
    after = left(theft, 0)
    assert (hand(after, 1), after.active, after.answers) == ("sunscreen camera", 1, ())
    robbed = left(theft, 1)
    assert (hand(robbed, 0), robbed.active) == ("camera", 2)


def test_r57_who_leaves_in_a_group_tour_passes_nothing_and_the_picks_go_on() -> None:
    state = play(position("camera", "sunscreen", "bug_spray", pile="group_tour camera", rules=Rules(True)), "0 draw")
    state = play(state, "0 pick:camera")
    after = play(left(state, 1), "2 pick:bug_spray")
    assert (hand(after, 0), hand(after, 2)) == ("bug_spray", "camera")


def test_r57_an_offer_to_who_leaves_falls_away_and_an_offer_of_who_leaves_too() -> None:
    state = play(position("camera", "sunscreen", "bug_spray", rules=BASE), "0 offer:1:camera>sunscreen")
    assert (left(state, 1).active, left(state, 1).agenda[-1].kind) == (0, Kind.ACTION)
    assert (left(state, 0).active, left(state, 0).agenda[-1].kind) == (1, Kind.ACTION)
