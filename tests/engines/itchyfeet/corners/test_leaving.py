"""Seats that leave at every phase (R57), in a row, and at the end of the last round (R56)."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules, State
from engines.kit.conformance import random_move
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import hand, left, pile_size, play, position, texts

FULL = "camera " * 4 + "sunscreen " * 3
EVENTS = Rules(events=True)
SEEN = "mousetrap lost_reservation"

PHASES: dict[str, State] = {
    "action": position("camera", "camera", "camera"),
    "second action": play(
        position("red_eye_flight camera", "camera", "camera", pile="sunscreen " * 4), "0 play:red_eye_flight", "0 draw"
    ),
    "offer": play(position("camera", "camera", "camera"), "0 offer:1:camera>camera"),
    "counter": play(position("camera", "camera", "camera"), "0 offer:1:camera>camera", "1 counter:camera>camera"),
    "theft": play(position("camera camera", "mousetrap", "camera"), "0 steal:1:camera"),
    "travel": play(position(TURKEY, "lost_reservation", "camera"), "0 travel", "1 block:lost_reservation"),
    "tour": play(position("camera", "bug_spray", "sunscreen", pile="group_tour camera"), "0 draw", "1 pick:bug_spray"),
    "guide": play(position("local_guide", "camera", "camera"), "0 play:local_guide"),
    "first action of two": play(
        position("red_eye_flight camera", "camera", "camera"), "0 play:red_eye_flight", "0 steal:1:camera"
    ),
    "post": play(position("trading_post camera", "camera", "camera"), "0 play:trading_post:camera"),
    "fingers": play(position("sticky_fingers", "camera", "camera", discard=SEEN), "0 play:sticky_fingers:1"),
    "pickpocket": play(
        position("camera", "camera bug_spray", "camera", discard=SEEN, characters="pickpocket"), "0 steal:1:camera"
    ),
    "globetrotter": play(position("camera", "camera", "camera", characters="globetrotter"), "0 draw"),
    "limits": play(position(FULL, FULL, FULL, pile="duty_free_sale " + "camera " * 4, rules=EVENTS), "0 draw"),
    "voucher": play(
        position("camera", "camera", "duty_free_voucher camera", pile="group_tour camera camera"),
        "2 play:duty_free_voucher",
    ),
}
"""A position of three seats in each phase; it is seat 0's turn."""


def test_who_leaves_in_the_first_of_two_actions_has_no_second() -> None:
    state = left(PHASES["first action of two"], 0)
    assert (state.active, state.agenda[-1].kind, GAME.awaited(state)) == (1, Kind.ACTION, frozenset({1}))


@pytest.mark.parametrize("phase", ["tour", "travel"])
def test_who_leaves_while_all_are_asked_makes_the_others_look_again(phase: str) -> None:
    assert GAME.undisturbed(PHASES[phase], left(PHASES[phase], 0)) == frozenset()


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("order", list(permutations(range(3), 2)))
def test_two_seats_leave_in_a_row_in_any_phase_and_the_last_one_wins(phase: str, order: tuple[int, int]) -> None:
    # R57: in between the one that is on turn, or next to it, goes on.
    first, second = order
    state = left(PHASES[phase], first)
    assert (state.reason, state.hands[first], state.places[first].here) == ("", (), False)
    awaited = GAME.awaited(state)
    assert awaited
    assert first not in GAME.may_act(state)
    assert state.active != first or state.agenda[-1].kind not in (Kind.ACTION, Kind.DONE)
    (last,) = {0, 1, 2} - {first, second}
    after = left(state, second)
    assert (after.winner, after.reason) == (last, "last_left")
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert {place.seat: place.place for place in outcome.placements} == {last: 1, second: 2, first: 3}
    assert GAME.load(GAME.dump(after)) == after


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("seat", range(3))
def test_the_two_who_stay_play_on_to_their_next_turns(phase: str, seat: int) -> None:
    # R57: whatever was under way comes to its end without the seat.
    state = left(PHASES[phase], seat)
    rng, turns = random.Random(seat), set()
    for _ in range(20):
        if state.agenda[-1].kind is Kind.ACTION and state.acted == 0:
            turns.add(state.active)
        who = min(GAME.awaited(state))
        plain = [text for text in texts(state, who) if text in ("pass", "decline", "draw")]
        state = play(state, f"{who} {plain[0] if plain else random_move(GAME, state, who, rng)}")
        assert not state.hands[seat]
    assert turns == {0, 1, 2} - {seat}


def test_the_country_before_a_leaver_goes_and_the_centre_stays() -> None:
    # R57; 2.2: those who stay travel to the same centre.
    state = left(position("camera", "camera", "camera", characters="haggler smuggler overpacker"), 0)
    assert HOUSE.countries[state.centre].id == "norway"
    assert (state.places[0].country, state.places[0].character) == (-1, -1)
    assert [state.ability(seat) for seat in (1, 2)] == ["give_contraband", "larger_hand"]


def test_a_leaver_s_postcards_and_passport_can_be_recycled_by_the_others() -> None:
    # R57, R21, R22.
    state = position("postcard_4 passport_02", "postcard_1 postcard_2 postcard_3 camera camera", "camera")
    after = play(left(state, 0), "1 recycle:postcard_4:camera+camera")
    assert (after.winner, after.reason) == (1, "postcards")


def test_who_leaves_before_its_three_cards_are_drawn_ends_its_turn_without_them() -> None:
    # R7, R57: a Group Tour came up among the three; the seat leaves before it has picked or drawn on.
    state = position("camera", "", "camera", pile="camera group_tour " + "bug_spray " * 5, rules=EVENTS)
    state = play(state, "0 draw")
    assert (state.active, state.agenda[-1].kind) == (1, Kind.TOUR)
    after = left(state, 1)
    after = play(after, "0 pick:camera", "2 pick:camera")
    assert (after.active, after.agenda[-1].kind, hand(after, 0)) == (2, Kind.ACTION, "camera camera")


def test_a_pick_for_a_leaver_goes_to_the_next_on_the_left() -> None:
    # R57, R16.
    state = position("camera", "bug_spray", "sunscreen", "warm_coat", pile="group_tour camera", rules=EVENTS)
    state = play(state, "0 draw", "0 pick:camera", "1 pick:bug_spray", "3 pick:warm_coat")
    after = left(state, 2)
    assert [hand(after, seat) for seat in range(4)] == ["warm_coat", "camera", "", "bug_spray"]
    assert after.known[3][1] == (HOUSE.numbers["bug_spray"],)
    assert (after.active, after.answers) == (1, ())


def test_the_drawer_of_a_tour_who_leaves_does_not_stop_it() -> None:
    # R57, R16: the event goes on, then the turn passes on.
    state = play(position("camera", "bug_spray", "sunscreen", pile="group_tour camera", rules=EVENTS), "0 draw")
    after = play(left(state, 0), "2 pick:sunscreen", "1 pick:bug_spray")
    assert (hand(after, 1), hand(after, 2), after.active) == ("sunscreen", "bug_spray", 1)
    assert "group_tour" in HOUSE.ids(after.discard)


def test_a_voucher_s_player_who_leaves_in_its_event_draws_no_more_and_the_turn_goes_on() -> None:
    # R57, R48.
    state = left(PHASES["voucher"], 2)
    after = play(state, "0 pick:camera", "1 pick:camera")
    assert (after.active, after.agenda[-1].kind, pile_size(after)) == (0, Kind.ACTION, 2)
    assert "duty_free_voucher" in HOUSE.ids(after.discard)


@pytest.mark.parametrize(("starter", "active", "leaver"), [(0, 2, 2), (0, 2, 0), (2, 1, 1), (1, 0, 1)])
def test_a_leaver_changes_nothing_of_where_a_round_ends(starter: int, active: int, leaver: int) -> None:
    # R56, R57: a round is over when the turn comes past the starting seat, there or not.
    state = position("camera", "camera", "camera", pile="camera " * 9, active=active)._replace(starter=starter)
    after = left(state, leaver)
    if after.active == active:
        after = play(after, f"{active} draw")
    assert after.round == 2


def test_the_last_turn_of_the_last_round_ends_by_leaving_in_a_draw_of_those_who_stay() -> None:
    # R56, R57: nobody wins; who left is behind the others.
    state = position("camera", "camera", "camera", active=2)._replace(round=200)
    after = left(state, 2)
    assert (after.reason, after.winner) == ("round_cap", -1)
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert [place.place for place in outcome.placements] == [1, 1, 3]
    assert left(left(state, 1), 2).winner == 0  # the last one left wins before the round is over


def test_who_leaves_twice_or_after_the_end_changes_nothing() -> None:
    # R57.
    state = left(position("camera", "camera", "camera"), 1)
    assert left(state, 1) == state
    over = left(state, 0)
    assert left(over, 2) == over


def test_a_draw_that_is_due_when_somebody_leaves_waits_for_its_seat() -> None:
    # [H]: what chance does with hands is an event of its own; R7 for the seat whose turn has come.
    state = left(position("camera", "", "camera", pile="sunscreen " * 5), 0)
    assert (state.active, GAME.awaited(state), texts(state, 1)) == (1, frozenset({1}), ["draw"])
    after = play(state, "1 draw")
    assert (hand(after, 1), after.agenda[-1].kind) == ("sunscreen sunscreen sunscreen", Kind.ACTION)
