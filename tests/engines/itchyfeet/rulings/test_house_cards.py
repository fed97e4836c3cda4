"""Rulings H1 to H8 on cards of the house deck."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Kind
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.table import hand, play, position, start, tell, texts


def test_h1_the_overpacker_starts_with_four_items() -> None:
    for seed in range(1, 6):
        state = start(6, seed, characters="on")
        sizes = {state.ability(seat): len(held) for seat, held in enumerate(state.hands)}
        assert sizes.pop("larger_hand") == 5
        assert set(sizes.values()) == {4}


def test_h2_the_price_follows_from_the_place_before_payment_and_one_paid_card_is_not_taken_back() -> None:
    discard = "warm_coat bug_spray rain_jacket phrasebook"
    state = position("camera sunscreen", "camera", discard=discard, characters="eco_tourist")
    assert texts(state, 0, "recycle:bug_spray:") == ["recycle:bug_spray:sunscreen", "recycle:bug_spray:camera"]
    assert texts(state, 0, "recycle:warm_coat:") == ["recycle:warm_coat:sunscreen+"]
    alone = position("camera", "camera", discard=discard, characters="eco_tourist")
    assert "recycle:camera:" not in texts(alone, 0, "recycle:")
    with pytest.raises(IllegalMove):
        tell(alone, 0, "recycle:camera:camera")


def test_h3_the_window_comes_before_the_pickpocket_sees_a_card() -> None:
    state, facts = tell(position("camera", "camera sunscreen", characters="pickpocket"), 0, "steal:1:camera")
    assert state.agenda[-1].kind is Kind.WINDOW
    assert not any(fact.kind.startswith(("saw", "looked")) for fact in facts)
    assert state.known[1][0] == ()


def test_h4_no_mousetrap_against_a_group_tour() -> None:
    state = play(position("camera", "mousetrap camera", pile="group_tour camera"), "0 draw")
    assert texts(state, 1) == ["pick:camera", "pick:mousetrap"]


def test_h5_lost_reservation_blocks_the_winning_travel() -> None:
    items = "hiking_boots rain_jacket warm_coat passport_01"
    state = play(position(items, "lost_reservation", done=(0,)), "0 travel")
    assert state.reason == ""
    assert play(state, "1 block:lost_reservation").reason == ""
    assert play(state, "1 pass").reason == "centre"


def test_h6_limits_are_enforced_after_each_action_of_a_red_eye_flight() -> None:
    state = position("red_eye_flight " + "camera " * 7, "camera", pile="sunscreen " * 4)
    state = play(state, "0 play:red_eye_flight", "0 draw")
    assert (state.agenda[-1].kind, state.active) == (Kind.LIMITS, 0)
    assert GAME.awaited(state) == {0}
    state = play(state, "0 discard:camera")
    assert (state.agenda[-1].kind, state.active) == (Kind.ACTION, 0)


def test_h7_an_event_drawn_out_of_turn_starts_from_the_drawer() -> None:
    state = position("camera", "camera", "duty_free_voucher camera", pile="lost_luggage sunscreen camera camera")
    _, facts = tell(state, 2, "play:duty_free_voucher")
    assert [dict(fact.parameters)["seat"] for fact in facts if fact.kind == "discarded"] == ["2", "0", "1"]


def test_h8_the_map_needs_a_country_that_lies_there_and_one_set_aside() -> None:
    state = position("poorly_drawn_map", "camera", "camera", done=(1,))
    assert texts(state, 0, "play:poorly_drawn_map:") == ["play:poorly_drawn_map:0", "play:poorly_drawn_map:2"]
    with pytest.raises(IllegalMove, match="H8"):
        tell(state, 0, "play:poorly_drawn_map:1")
    assert "play:poorly_drawn_map:" not in texts(position("poorly_drawn_map", "camera", aside=""), 0)
    after = play(state, "0 play:poorly_drawn_map:2")
    assert HOUSE.countries[after.places[2].country].id == "mexico"
    assert [HOUSE.countries[country].id for country in after.queue] == ["japan"]


def test_h7_a_sale_drawn_out_of_turn_goes_round_from_who_drew_it() -> None:
    pile = "duty_free_sale sunscreen bug_spray rain_jacket camera camera"
    state = position("camera", "camera", "duty_free_voucher", pile=pile)
    state = play(state, "2 play:duty_free_voucher")
    assert [hand(state, seat) for seat in range(3)] == ["camera bug_spray", "rain_jacket camera", "sunscreen camera"]
