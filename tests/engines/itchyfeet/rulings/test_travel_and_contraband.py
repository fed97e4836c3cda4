"""Rulings R40 to R47: travel, contraband, postcards."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import Rules
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import hand, pile_size, play, position, tell, texts

BASE = Rules()
CONTRABAND = Rules(contraband=True)
POSTCARDS = Rules(contraband=True, postcards=True)
THREE = "postcard_1 postcard_2 postcard_3"


def test_r40_a_completed_country_leaves_the_game() -> None:
    before = position(TURKEY, "camera", rules=BASE)
    state = play(before, "0 travel")
    turkey = HOUSE.country_numbers["turkey"]
    lying = (*[place.country for place in state.places], *state.aside, *state.queue, state.centre)
    assert turkey not in lying
    assert state.places[0].done
    assert (state.aside, state.queue) == (before.aside, before.queue)


def test_r41_nothing_is_drawn_after_the_winning_travel() -> None:
    state = position("hiking_boots rain_jacket warm_coat passport_01", "camera", done=(0,), rules=BASE)
    after = play(state, "0 travel")
    assert (after.winner, hand(after, 0)) == (0, "passport_01")
    assert after.pile == state.pile


@pytest.mark.parametrize(
    "held", ["camera phrasebook warm_coat", "camera phrasebook passport_01", f"{TURKEY} fireworks"]
)
def test_r42_an_illegal_travel_is_refused_and_shows_nothing(held: str) -> None:
    state = position(held, "camera", rules=CONTRABAND)
    with pytest.raises(IllegalMove, match=r"2\.4"):
        tell(state, 0, "travel")
    after, facts = tell(position(TURKEY, "camera", rules=CONTRABAND), 0, "travel")
    shown = next(fact for fact in facts if fact.kind == "travels")
    assert shown.audiences is None
    assert dict(shown.parameters)["cards"] == "Camera, Phrasebook, Warm Coat, Argentina Passport"
    assert HOUSE.ids(after.known[0][2]) == ("passport_01",)


def test_r43_one_contraband_goes_with_one_other_card_to_the_discard_pile() -> None:
    state = position("fireworks exotic_plant camera", "camera", rules=CONTRABAND)
    assert texts(state, 0, "dispose:") == ["dispose:fireworks:", "dispose:exotic_plant:"]
    assert texts(state, 0, "dispose:fireworks:") == ["dispose:fireworks:camera"]
    for other in ("exotic_plant", "fireworks"):
        with pytest.raises(IllegalMove):
            tell(state, 0, f"dispose:fireworks:{other}")
    after = play(state, "0 dispose:fireworks:camera")
    assert HOUSE.ids(after.discard) == ("fireworks", "camera")
    assert hand(after, 0) == "exotic_plant"


def test_r44_with_contraband_alone_draw_and_trade_remain() -> None:
    assert texts(position("fireworks exotic_plant", "camera", rules=CONTRABAND), 0) == ["draw", "offer:"]


def test_r45_a_disposal_is_the_action_of_the_turn() -> None:
    assert play(position("fireworks camera", "camera", rules=CONTRABAND), "0 dispose:fireworks:camera").active == 1


@pytest.mark.parametrize("held", [THREE, f"{THREE} fireworks"])
def test_r46_r47_four_postcards_win_at_once_by_a_draw_contraband_or_not(held: str) -> None:
    state = play(position(held, "camera", pile="postcard_4 camera", rules=POSTCARDS), "0 draw")
    assert (state.winner, state.reason) == (0, "postcards")
    assert GAME.awaited(state) == frozenset()


def test_r46_postcards_win_out_of_turn_by_each_way_a_card_comes_into_a_hand() -> None:
    trade = position("postcard_4 camera", f"{THREE} fireworks", rules=POSTCARDS)
    assert play(trade, "0 offer:1:postcard_4>fireworks", "1 accept").winner == 1
    tour = position("postcard_4", THREE, pile="group_tour camera", rules=Rules(events=True, postcards=True))
    assert play(tour, "0 draw", "0 pick:postcard_4", "1 pick:postcard_1").reason == ""
    tour = position("postcard_4", f"{THREE} camera", pile="group_tour camera", rules=Rules(events=True, postcards=True))
    assert play(tour, "0 draw", "0 pick:postcard_4", "1 pick:camera").winner == 1
    sale = position("camera", THREE, pile="duty_free_sale camera postcard_4 camera", rules=Rules(True, postcards=True))
    assert play(sale, "0 draw").winner == 1
    voucher = position("camera", f"{THREE} duty_free_voucher", pile="postcard_4 camera camera")
    after = play(voucher, "1 play:duty_free_voucher")
    assert (after.winner, pile_size(after)) == (1, 2)
    theft = position(f"{THREE} camera", "camera", "postcard_4", rules=POSTCARDS)
    assert play(theft, "0 steal:2:camera").winner == 0


def test_r46_only_one_hand_can_have_enough_postcards() -> None:
    copies = sum(HOUSE.cards[card].copies for card in HOUSE.postcards)
    assert copies < 2 * HOUSE.constants.postcards_to_win


def test_r47_contraband_stops_a_travel_only() -> None:
    state = position(f"{TURKEY} fireworks", "camera", rules=CONTRABAND)
    assert "travel" not in texts(state, 0)
    assert {"draw", "recycle:", "steal:", "dispose:", "offer:"} <= set(texts(state, 0))
