"""Events, special items, contraband, postcards and characters (rules 3, 5.6, 5.7, 6.3, 6.4)."""

from __future__ import annotations

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind, Rules, State
from engines.kit.game import PUBLIC, IllegalMove
from tests.engines.itchyfeet.table import N, cards, hand, play, position, tell, texts

TURKEY = "camera phrasebook warm_coat passport_01"
NO_SPECIALS = Rules(True, False, True, True, True)


def test_civil_unrest_swaps_the_centre() -> None:
    state = play(position("camera", "camera", pile="civil_unrest camera"), "0 draw")
    assert HOUSE.countries[state.centre].id == "mexico"
    assert [HOUSE.countries[country].id for country in state.queue] == ["norway"]
    assert HOUSE.ids(state.discard) == ("civil_unrest",)
    assert hand(state, 0) == "camera"


def test_lost_luggage_spares_passports_and_contraband() -> None:
    state = play(
        position("passport_01 fireworks", "camera passport_02", "sunscreen passport_03", pile="lost_luggage camera"),
        "0 draw",
    )
    assert hand(state, 0) == "passport_01 fireworks"
    assert (hand(state, 1), hand(state, 2)) == ("passport_02", "passport_03")
    assert HOUSE.ids(state.discard) == ("camera", "sunscreen", "lost_luggage")


def test_duty_free_sale_gives_each_a_card_clockwise_from_the_drawer() -> None:
    state = play(
        position("camera", "camera", pile="duty_free_sale sunscreen bug_spray rain_jacket", rules=NO_SPECIALS), "0 draw"
    )
    assert hand(state, 0) == "sunscreen camera"
    assert hand(state, 1) == "camera bug_spray"


def tour() -> State:
    return play(position("camera", "sunscreen", "bug_spray", pile="group_tour camera camera"), "0 draw")


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_group_tour_passes_all_picks_left_whatever_the_order_of_answers(order: tuple[int, ...]) -> None:
    state = tour()
    assert GAME.awaited(state) == {0, 1, 2}
    picks = {0: "camera", 1: "sunscreen", 2: "bug_spray"}
    for seat in order:
        before = state
        state, _ = tell(state, seat, f"pick:{picks[seat]}")
        assert GAME.undisturbed(before, state) == GAME.awaited(before) - {seat}
    assert [hand(state, seat) for seat in range(3)] == ["bug_spray", "camera", "sunscreen"]
    assert state.known[1][0] == cards("camera")
    assert not any(row[3] for row in state.known)


def test_six_seats_answer_at_once() -> None:
    state = play(position(*["camera sunscreen"] * 6, pile="group_tour camera"), "0 draw")
    for seat in (5, 3, 1, 0, 2, 4):
        assert seat in GAME.awaited(state)
        before = state
        state, _ = tell(state, seat, "pick:camera")
        if state.answers:
            assert GAME.undisturbed(before, state) == GAME.awaited(state)
    assert all(hand(state, seat) == "sunscreen camera" for seat in range(6))


def test_moms_credit_card_stands_in_for_one_item() -> None:
    state = position("camera phrasebook passport_01 moms_credit_card", "camera", pile="bug_spray " * 3)
    assert "travel:moms_credit_card" in texts(state, 0)
    after = play(state, "0 travel:moms_credit_card", "1 pass")
    assert HOUSE.ids(after.discard) == ("camera", "phrasebook", "moms_credit_card")
    assert "travel:moms_credit_card" not in texts(position(TURKEY + " moms_credit_card", "camera"), 0)
    assert not [
        t for t in texts(position("camera phrasebook warm_coat moms_credit_card", "camera"), 0) if "travel" in t
    ]


@pytest.mark.parametrize("held", ["camera", "mousetrap"])
def test_the_victim_is_asked_whether_or_not_it_holds_a_mousetrap(held: str) -> None:
    state = play(position("camera", held), "0 steal:1:camera")
    assert GAME.awaited(state) == GAME.may_act(state) == {1}
    assert GAME.view(state, 0).agenda[-1].kind == Kind.WINDOW + 1  # type: ignore[attr-defined]
    assert texts(state, 1) == (["pass", "block:mousetrap"] if held == "mousetrap" else ["pass"])


def test_mousetrap_blocks_and_the_turn_ends_with_the_cost_paid() -> None:
    state = play(position("camera camera", "mousetrap sunscreen"), "0 steal:1:camera", "1 block:mousetrap")
    assert hand(state, 0) == "camera"
    assert HOUSE.ids(state.discard) == ("camera", "mousetrap")
    assert state.active == 1


def test_no_window_opens_when_the_card_lies_open() -> None:
    state = play(position("camera", "sunscreen", discard="mousetrap"), "0 steal:1:camera")
    assert hand(state, 0) == "sunscreen"


def window() -> State:
    return play(position(TURKEY, "camera", "lost_reservation", "camera"), "0 travel")


@pytest.mark.parametrize("order", [(1, 2, 3), (3, 2, 1), (2, 3, 1)])
def test_lost_reservation_blocks_after_all_have_answered_in_any_order(order: tuple[int, ...]) -> None:
    state = window()
    assert GAME.awaited(state) == {1, 2, 3}
    for seat in order:
        before = state
        state, _ = tell(state, seat, "block:lost_reservation" if seat == 2 else "pass")
        if state.answers:
            assert GAME.undisturbed(before, state) == GAME.awaited(state)
    assert hand(state, 0) == " ".join(HOUSE.ids(cards(TURKEY)))
    assert HOUSE.ids(state.discard) == ("lost_reservation",)
    assert state.active == 1
    assert not state.places[0].done


def test_a_window_whose_time_is_up_lets_it_happen() -> None:
    state = position(TURKEY, "lost_reservation", rules=Rules(special_items=True, reaction_ms=5000))
    assert GAME.limit_ms(state) is None
    state = play(state, "0 travel")
    assert GAME.limit_ms(state) == 5000
    after, _ = GAME.time_out(state, SeededDraw(bytes(32), 3))
    assert after.places[0].done


def test_lost_reservation_blocks_the_winning_travel() -> None:
    items = "hiking_boots rain_jacket warm_coat passport_01"
    state = play(position(items, "lost_reservation", done=(0,)), "0 travel", "1 block:lost_reservation")
    assert state.reason == ""
    assert len(state.hands[0]) == 4


def test_the_local_guide_takes_no_event_and_puts_the_rest_under() -> None:
    state = play(position("local_guide", "camera", pile="camera civil_unrest sunscreen"), "0 play:local_guide")
    assert texts(state, 0) == ["take:none", "take:sunscreen", "take:camera"]
    after = play(state, "0 take:sunscreen")
    assert hand(after, 0) == "sunscreen"
    assert [block.cards for block in after.pile] == [cards("camera civil_unrest")]
    assert after.pile[0].knowers == 0b001
    for card in ("civil_unrest", "warm_coat"):
        with pytest.raises(IllegalMove, match=r"6\.3"):
            tell(state, 0, f"take:{card}")


def test_the_local_guide_looks_at_five_and_puts_the_rest_under_what_it_has_not_seen() -> None:
    pile = "camera sunscreen bug_spray rain_jacket phrasebook warm_coat power_adapter"
    state = play(position("local_guide", "camera", pile=pile), "0 play:local_guide")
    assert len(state.agenda[-1].cards) == 5
    after = play(state, "0 take:camera")
    seen = cards("sunscreen bug_spray rain_jacket phrasebook")
    assert [block.cards for block in after.pile] == [cards("warm_coat"), cards("power_adapter"), seen]


def test_trading_post_puts_cards_under_in_order_then_draws_on_a_word() -> None:
    state = position("trading_post camera sunscreen", "camera", pile="bug_spray rain_jacket warm_coat")
    after = play(state, "0 play:trading_post:sunscreen+camera")
    assert GAME.awaited(after) == {0}
    assert texts(after, 0) == ["draw"]
    assert GAME.redact(state, 0, "play:trading_post:sunscreen+camera", 1) == "play:trading_post:*+*"
    after = play(after, "0 draw")
    assert hand(after, 0) == "rain_jacket bug_spray"
    assert [block.cards for block in after.pile] == [cards("warm_coat"), cards("sunscreen"), cards("camera")]


def test_the_map_replaces_a_country_in_front_of_a_seat_only() -> None:
    state = position("poorly_drawn_map", "camera", done=(1,))
    assert texts(state, 0, "play:poorly_drawn_map:") == ["play:poorly_drawn_map:0"]
    with pytest.raises(IllegalMove, match="H8"):
        tell(state, 0, "play:poorly_drawn_map:1")
    after = play(state, "0 play:poorly_drawn_map:0")
    assert HOUSE.countries[after.places[0].country].id == "mexico"
    assert HOUSE.countries[after.centre].id == "norway"


def test_sticky_fingers_sees_the_hand_and_takes_a_card() -> None:
    state = play(position("sticky_fingers", "camera sunscreen", discard="mousetrap"), "0 play:sticky_fingers:1")
    assert texts(state, 0) == ["take:sunscreen", "take:camera"]
    assert GAME.redact(state, 0, "take:camera", 1) == "take:camera"
    assert GAME.redact(state, 0, "take:camera", PUBLIC) == "take:*"
    after = play(state, "0 take:camera")
    assert (hand(after, 0), hand(after, 1)) == ("camera", "sunscreen")
    assert after.known[1][0] == cards("sunscreen")


def test_red_eye_gives_two_actions_and_at_most_one_travel() -> None:
    state = play(position("red_eye_flight camera", "camera"), "0 play:red_eye_flight", "0 draw")
    assert state.active == 0
    assert play(state, "0 draw").active == 1
    double = position(
        f"red_eye_flight {TURKEY} hiking_boots rain_jacket warm_coat", "camera", discard="lost_reservation"
    )
    double = play(double, "0 play:red_eye_flight", "0 travel")
    assert double.active == 0
    assert "travel" not in texts(double, 0)


def test_a_blocked_first_action_loses_the_second() -> None:
    state = play(position("red_eye_flight camera", "mousetrap"), "0 play:red_eye_flight", "0 steal:1:camera")
    assert play(state, "1 block:mousetrap").active == 1


def test_a_voucher_can_be_played_out_of_turn_and_who_may_act_does_not_show_it() -> None:
    with_it, without = position("camera", "duty_free_voucher"), position("camera", "camera")
    assert GAME.may_act(with_it) == GAME.may_act(without) == {0, 1}
    assert GAME.awaited(with_it) == {0}
    assert texts(with_it, 1) == ["play:duty_free_voucher"]
    after = play(with_it, "1 play:duty_free_voucher")
    assert hand(after, 1) == "camera camera"
    assert after.active == 0


def test_contraband_is_disposed_of_with_another_card() -> None:
    state = play(position("fireworks camera", "camera"), "0 dispose:fireworks:camera")
    assert state.hands[0] == ()
    assert state.active == 1
    only = position("fireworks exotic_plant", "camera")
    assert set(texts(only, 0)) == {"draw", "offer:"}


def test_postcards_win_out_of_turn_with_contraband_in_hand() -> None:
    held = "postcard_1 postcard_2 postcard_3 fireworks"
    state = position("postcard_4 camera", held, rules=Rules(contraband=True, postcards=True))
    after = play(state, "0 offer:1:postcard_4>fireworks", "1 accept")
    assert (after.winner, after.reason) == (1, "postcards")
    assert GAME.may_act(after) == frozenset()


def test_the_smuggler_gives_contraband_that_cannot_be_refused() -> None:
    state = position("fireworks camera", "camera", characters="smuggler haggler")
    after = play(state, "0 gift:1:fireworks")
    assert hand(after, 1) == "camera fireworks"
    assert "gift:" not in texts(position("fireworks camera", "camera", characters="haggler"), 0)
    with pytest.raises(IllegalMove, match=r"1\.2"):
        tell(state, 0, "gift:1:camera")


def test_all_know_what_the_smuggler_gave() -> None:
    state = play(position("camera fireworks", "camera", "camera", characters="smuggler"), "0 gift:2:fireworks")
    assert state.known[2] == (cards("fireworks"), cards("fireworks"), (), cards("fireworks"))


def test_the_globetrotter_draws_two_and_discards_one() -> None:
    state = play(
        position("fireworks", "camera", pile="sunscreen bug_spray camera", characters="globetrotter"), "0 draw"
    )
    assert texts(state, 0) == ["discard:sunscreen", "discard:bug_spray"]
    assert hand(play(state, "0 discard:sunscreen"), 0) == "bug_spray fireworks"
    event = position("camera", "camera", pile="civil_unrest bug_spray camera", characters="globetrotter")
    assert hand(play(event, "0 draw"), 0) == "camera bug_spray"


def test_the_globetrotter_discards_after_each_draw_of_a_red_eye_flight() -> None:
    state = position("camera red_eye_flight", "camera", pile="bug_spray " * 6, characters="globetrotter")
    state = play(state, "0 play:red_eye_flight")
    for _ in range(2):
        state = play(state, "0 draw")
        assert state.agenda[-1].kind is Kind.TROT
        state = play(state, "0 discard:bug_spray")
    assert (hand(state, 0), state.active) == ("camera bug_spray bug_spray", 1)


def test_the_eco_tourist_pays_one_for_the_top_three() -> None:
    discard = "warm_coat bug_spray rain_jacket phrasebook"
    state = position("camera sunscreen", "camera", discard=discard, characters="eco_tourist")
    assert hand(play(state, "0 recycle:bug_spray:camera"), 0) == "sunscreen bug_spray"
    with pytest.raises(IllegalMove):
        tell(state, 0, "recycle:warm_coat:camera")
    assert hand(play(state, "0 recycle:warm_coat:sunscreen+camera"), 0) == "warm_coat"


def test_the_pickpocket_sees_three_and_keeps_one() -> None:
    held = "camera sunscreen bug_spray rain_jacket"
    state = position("camera", held, characters="pickpocket", discard="mousetrap")
    state = play(state, "0 steal:1:camera")
    assert len(state.agenda[-1].cards) == 3
    assert len(state.known[1][0]) == 3
    after = play(state, f"0 {texts(state, 0)[0]}")
    assert (len(after.hands[0]), len(after.hands[1])) == (1, 3)
    assert len(after.known[1][0]) == 2


def test_the_overpacker_holds_nine() -> None:
    state = position("camera sunscreen " * 4, "camera", characters="overpacker", pile="bug_spray " * 3)
    assert play(state, "0 draw").active == 1


def test_knowledge_of_a_hand_goes_when_a_card_leaves_it_unseen() -> None:
    state = position("camera", "sunscreen bug_spray", "camera", discard="mousetrap")
    state = play(state, "0 offer:1:camera>sunscreen", "1 counter:bug_spray>camera", "0 decline", "0 draw")
    assert state.known[1][2] == cards("bug_spray")
    state = play(state, "1 draw", "2 steal:1:camera")
    assert state.known[1][0] == ()
    assert N["bug_spray"] in state.hands[1] + state.hands[2]
