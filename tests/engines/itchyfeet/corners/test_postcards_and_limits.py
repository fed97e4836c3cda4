"""Postcard wins out of turn and hand limits where other rules meet them."""

from __future__ import annotations

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules
from engines.kit.game import EVERYBODY
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import hand, left, pile_size, play, position, tell, texts

THREE = "postcard_1 postcard_2 postcard_3"
FULL = "camera " * 4 + "sunscreen " * 3
NO_SPECIALS = Rules(True, False, True, True, True)


def test_a_tour_moves_all_picks_before_a_win_ends_it() -> None:
    # R16, R46: at once; a hand that passes a postcard on and gets one has three.
    state = position(f"{THREE} camera", "postcard_4 camera", "postcard_5 camera", pile="group_tour camera")
    state = state._replace(rules=NO_SPECIALS)
    state = play(state, "0 draw")
    swapped = play(state, "0 pick:postcard_1", "1 pick:postcard_4", "2 pick:postcard_5")
    assert swapped.reason == ""
    won = play(state, "1 pick:postcard_4", "2 pick:postcard_5", "0 pick:camera")
    assert (won.winner, won.reason, won.agenda[-1].kind) == (0, "postcards", Kind.SPENT)
    assert [hand(won, seat) for seat in range(3)] == [f"{THREE} postcard_5", "camera camera", "camera postcard_4"]
    outcome = GAME.outcome(won)
    assert outcome is not None
    assert [place.place for place in outcome.placements] == [1, 2, 2]
    assert GAME.view(won, EVERYBODY).reason == "postcards"  # type: ignore[attr-defined]


def test_a_tour_of_an_out_of_turn_voucher_wins_for_a_third_seat() -> None:
    # R46, R48.
    state = position("postcard_4", f"{THREE} camera", "duty_free_voucher camera", pile="group_tour camera")
    state = play(state, "2 play:duty_free_voucher", "0 pick:postcard_4", "1 pick:camera", "2 pick:camera")
    assert (state.winner, state.reason, pile_size(state)) == (1, "postcards", 1)


def test_the_card_drawn_after_the_own_country_can_win() -> None:
    # 2.4, R46: the travel is over, and the win comes before the limit and the end of the turn.
    state = position(f"{TURKEY} {THREE}", "camera", pile="postcard_4 camera", rules=NO_SPECIALS)
    after, facts = tell(state, 0, "travel")
    assert (after.winner, after.reason, after.places[0].done) == (0, "postcards", True)
    assert facts[-1].kind == "won_postcards"


def test_the_winning_travel_draws_no_postcard() -> None:
    # R41.
    held = f"hiking_boots rain_jacket warm_coat passport_01 {THREE}"
    state = position(held, "camera", pile="postcard_4 camera", done=(0,), rules=NO_SPECIALS)
    assert play(state, "0 travel").reason == "centre"


def test_sticky_fingers_and_the_pickpocket_and_recycle_can_take_the_fourth_postcard() -> None:
    # R46: after every change of any hand.
    fingers = position(f"sticky_fingers {THREE}", "postcard_4 camera", discard="mousetrap")
    assert play(fingers, "0 play:sticky_fingers:1", "0 take:postcard_4").winner == 0
    pocket = position(f"{THREE} camera", "postcard_4 camera", discard="mousetrap", characters="pickpocket")
    assert play(pocket, "0 steal:1:camera", "0 take:postcard_4").reason == "postcards"
    recycle = position(f"{THREE} camera camera", "camera", discard="postcard_4")
    assert play(recycle, "0 recycle:postcard_4:camera+camera").reason == "postcards"
    guide = position(f"local_guide {THREE}", "camera", pile="postcard_4 camera")
    assert play(guide, "0 play:local_guide", "0 take:postcard_4").reason == "postcards"


def test_a_postcard_that_pays_for_a_postcard_does_not_win() -> None:
    # R22, R24: the cost comes before the effect.
    state = position(f"{THREE} camera", "camera", discard="postcard_4", rules=NO_SPECIALS)
    assert play(state, "0 recycle:postcard_4:camera+postcard_1").reason == ""


def test_three_cards_at_the_start_of_a_turn_can_win_it_before_the_action() -> None:
    # R7, R46: the draw ends at the winning card. Four postcards to draw, so the hand was empty.
    state = position("camera camera", "", pile="camera postcard_1 postcard_2 postcard_3 postcard_4", rules=NO_SPECIALS)
    state = play(state, "0 draw")
    assert (hand(state, 1), state.reason) == (THREE, "")
    assert play(state, "1 draw").winner == 1


def test_a_win_at_eight_cards_of_a_seat_not_on_turn_asks_nobody_to_discard() -> None:
    # R19.
    held = f"{THREE} camera camera camera camera"
    state = position(FULL, held, pile="duty_free_sale camera postcard_4", rules=NO_SPECIALS)
    after = play(state, "0 draw")
    assert (after.winner, len(after.hands[0]), len(after.hands[1])) == (1, 8, 8)
    assert GAME.awaited(after) == GAME.may_act(after) == frozenset()


def test_limits_are_met_one_seat_after_the_other_by_each_hand_s_own_limit() -> None:
    # R18, R54.
    state = position(
        FULL,
        FULL + "camera camera",
        FULL,
        pile="duty_free_sale " + "bug_spray " * 5,
        characters="smuggler overpacker haggler",
        rules=NO_SPECIALS,
        active=2,
    )
    state = play(state, "2 draw")
    for seat in (2, 0, 1):
        assert GAME.awaited(state) == GAME.may_act(state) == {seat}
        state = play(state, f"{seat} discard:camera")
    assert (state.active, state.agenda[-1].kind) == (0, Kind.ACTION)


def test_a_voucher_out_of_turn_makes_its_player_discard_before_the_action_goes_on() -> None:
    # R18: out of turn too.
    state = position("camera", FULL.replace("sunscreen", "duty_free_voucher", 1), pile="bug_spray " * 5)
    state = play(state, "1 play:duty_free_voucher")
    assert GAME.awaited(state) == GAME.may_act(state) == {1}
    state = play(state, "1 discard:camera")
    assert (state.active, GAME.awaited(state)) == (0, frozenset({0}))
    assert state.agenda[-1].kind is Kind.ACTION


def test_a_gift_of_contraband_to_a_full_hand_makes_it_discard_something_else() -> None:
    # R20, 6.3.
    held = "exotic_plant unlabelled_cheese camera camera camera camera passport_02"
    state = position("fireworks camera", held, characters="smuggler")
    state = play(state, "0 gift:1:fireworks")
    assert GAME.awaited(state) == {1}
    assert texts(state, 1) == ["discard:camera", "discard:passport_02"]
    assert play(state, "1 discard:passport_02").active == 1


def test_a_gift_is_no_change_of_cards_and_brings_no_bonus() -> None:
    # 6.3: no card is discarded or drawn; R43 does not apply.
    state = position("fireworks", "", characters="smuggler", pile="camera " * 5)
    state = play(state, "0 gift:1:fireworks")
    assert (hand(state, 0), hand(state, 1), state.discard, state.active) == ("", "fireworks", (), 1)


def test_who_leaves_over_the_limit_is_waited_for_no_more() -> None:
    # R57, R18.
    state = position(FULL, FULL, FULL, pile="duty_free_sale " + "bug_spray " * 5, rules=NO_SPECIALS)
    state = play(state, "0 draw")
    assert GAME.awaited(left(state, 0)) == {1}
    assert left(state, 0).active == 0  # its turn ends when the limits are met
    after = play(left(state, 0), "1 discard:camera", "2 discard:camera")
    assert (after.active, after.agenda[-1].kind) == (1, Kind.ACTION)
    assert left(left(state, 0), 1).winner == 2


def test_an_event_in_a_draw_has_the_limits_met_before_the_draw_goes_on() -> None:
    # R13, R18: each event is an effect of its own.
    held = FULL.replace("sunscreen", "duty_free_voucher", 1)
    state = position(held, "camera", pile="bug_spray duty_free_sale bug_spray bug_spray bug_spray")
    state = play(state, "0 play:duty_free_voucher")
    assert len(state.hands[0]) == 8
    assert GAME.awaited(state) == {0}
    state = play(state, "0 discard:camera")
    assert (state.active, state.agenda[-1].kind) == (0, Kind.ACTION)
    assert HOUSE.ids(state.discard) == ("duty_free_sale", "camera", "duty_free_voucher")
