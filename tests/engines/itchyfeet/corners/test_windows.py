"""Windows where other rules meet them: cards seen elsewhere, second actions, seats that leave, time that is up."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules
from engines.kit.game import PUBLIC
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import hand, left, play, position, tell, texts

CENTRE = "hiking_boots rain_jacket warm_coat passport_01"


def test_a_theft_that_is_paid_with_the_mousetrap_asks_nobody() -> None:
    # R51: the card is visible elsewhere.
    state = play(position("mousetrap", "camera"), "0 steal:1:mousetrap")
    assert (hand(state, 0), state.active) == ("camera", 1)


def test_a_traveller_who_shows_the_lost_reservation_is_not_asked_about() -> None:
    # R51: the travel shows the hand before anybody is asked (2.4).
    state = play(position(f"{TURKEY} lost_reservation", "camera", "camera"), "0 travel")
    assert state.places[0].done
    assert state.active == 1


def test_a_mousetrap_that_was_shown_is_asked_for_again_once_it_may_have_gone() -> None:
    # R51: an offer shows it in one hand; after a card left that hand unseen it could be anywhere.
    state = position("mousetrap camera", "camera camera", "camera camera", pile="camera " * 9)
    state = play(state, "0 offer:1:mousetrap>camera", "1 decline", "0 draw")
    assert GAME.awaited(play(state, "1 steal:2:camera")) == {2}  # it is nobody else's, and none is asked in vain
    stolen = play(state, "1 steal:0:camera", "0 pass", "2 steal:1:camera")
    assert stolen.agenda[-1].kind is Kind.WINDOW
    assert GAME.awaited(stolen) == {1}


def test_who_has_reached_its_own_country_is_asked_like_the_others() -> None:
    # R51, R52.
    state = play(position(TURKEY, "lost_reservation", "camera", done=(1,)), "0 travel")
    assert GAME.awaited(state) == {1, 2}
    assert not play(state, "2 pass", "1 block:lost_reservation").places[0].done


@pytest.mark.parametrize("rest", [("2 pass",), ()])
def test_the_block_of_a_seat_that_leaves_before_all_have_answered_falls_away(rest: tuple[str, ...]) -> None:
    # R57: what it was to do falls away, also what it had said.
    state = play(position(TURKEY, "lost_reservation", "camera"), "0 travel", "1 block:lost_reservation")
    after = left(state, 1)
    assert GAME.awaited(after) == {2}
    after = play(after, *rest) if rest else GAME.time_out(after, SeededDraw(bytes(32), 9))[0]
    assert after.places[0].done
    assert "lost_reservation" in HOUSE.ids(after.discard)


def test_the_last_seat_that_was_asked_closes_the_window_by_leaving() -> None:
    # R57, R51: a seat without cards is not asked; the one that is leaves, and the travel takes place.
    state = play(position(TURKEY, "camera", ""), "0 travel")
    assert GAME.awaited(state) == {1}
    after = left(state, 1)
    assert after.places[0].done
    assert play(after, "0 draw").active == 2


def test_the_winning_traveller_who_leaves_in_the_window_does_not_win() -> None:
    # R57, H5.
    state = play(position(CENTRE, "camera", "camera", done=(0,)), "0 travel", "1 pass")
    after = left(state, 0)
    assert (after.reason, after.active, after.answers) == ("", 1, ())
    assert left(play(position(CENTRE, "camera", done=(0,)), "0 travel"), 0).winner == 1


def test_a_third_seat_that_leaves_during_a_theft_changes_nothing_of_it() -> None:
    # R57.
    state = play(position("camera camera", "mousetrap", "camera"), "0 steal:1:camera")
    after = left(state, 2)
    assert GAME.awaited(after) == {1}
    assert play(after, "1 block:mousetrap").active == 1


def test_a_robbed_seat_that_leaves_ends_the_action_and_not_the_turn_of_a_red_eye_flight() -> None:
    # R57, R29: the cost is paid and the action taken; it was not blocked, so the second one is left.
    state = position("red_eye_flight camera camera", "camera", "camera")
    state = left(play(state, "0 play:red_eye_flight", "0 steal:1:camera"), 1)
    assert (state.active, state.acted, state.agenda[-1].kind) == (0, 1, Kind.ACTION)
    assert hand(state, 0) == "camera"


def test_sticky_fingers_as_second_action_of_a_red_eye_flight_can_be_blocked() -> None:
    # R53, R55: the window opens for the second action as for the first, and the turn ends.
    state = position("red_eye_flight sticky_fingers camera", "mousetrap camera")
    state = play(state, "0 play:red_eye_flight", "0 draw", "0 play:sticky_fingers:1")
    assert GAME.awaited(state) == {1}
    after = play(state, "1 block:mousetrap")
    assert (after.active, hand(after, 0), hand(after, 1)) == (1, "camera camera", "camera")
    assert sorted(HOUSE.ids(after.discard)) == ["mousetrap", "red_eye_flight", "sticky_fingers"]


def test_a_blocker_whose_last_card_is_the_mousetrap_starts_its_turn_with_three_cards() -> None:
    # R7 after R53.
    state = play(position("camera camera", "mousetrap", pile="sunscreen " * 5), "0 steal:1:camera", "1 block:mousetrap")
    assert (state.active, hand(state, 1)) == (1, "sunscreen sunscreen sunscreen")


def test_time_that_is_up_lets_a_theft_happen_and_the_turn_go_on() -> None:
    # R51.
    rules = Rules(special_items=True, reaction_ms=15000)
    state = play(position("camera camera", "mousetrap", rules=rules), "0 steal:1:camera")
    after, facts = GAME.time_out(state, SeededDraw(bytes(32), 9))
    assert [fact.kind for fact in facts][:2] == ["time_up", "not_blocked"]
    assert (hand(after, 0), after.active, after.answers) == ("camera mousetrap", 1, ())
    assert GAME.limit_ms(after) is None


@pytest.mark.parametrize("audience", [0, 2, PUBLIC])
def test_a_window_shows_others_the_same_whatever_the_victim_holds(audience: int) -> None:
    # R51: frames, waiting and what is told are alike, the window through.
    seen = []
    for held in ("mousetrap", "sunscreen"):
        state, facts = tell(position("camera camera", f"{held} camera", "camera"), 0, "steal:1:camera")
        told = [fact for fact in facts if fact.audiences is None or audience in fact.audiences]
        shown = GAME.view(state, audience).SerializeToString(deterministic=True)
        seen.append((told, shown, GAME.awaited(state), GAME.may_act(state), texts(state, 0), texts(state, 2)))
    assert seen[0] == seen[1]
