"""The Poorly Drawn Map and the Red-Eye Flight, alone and together."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.state import State
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import hand, left, play, position, tell, texts

SEEN = "mousetrap lost_reservation"
"""Where these lie open no window opens."""
NORWAY = "hiking_boots rain_jacket warm_coat passport_01"


def countries(state: State) -> list[str]:
    return [HOUSE.countries[place.country].id if place.country >= 0 else "" for place in state.places]


def test_a_map_at_the_own_country_then_a_travel_there_in_one_turn() -> None:
    # R9: the target is what lies there now.
    held = "hiking_boots sunscreen bug_spray passport_01 poorly_drawn_map red_eye_flight"
    state = position(held, "camera", discard=SEEN, aside="mexico peru")
    assert "travel" not in texts(state, 0)
    state = play(state, "0 play:red_eye_flight", "0 play:poorly_drawn_map:0")
    assert (countries(state), state.acted) == (["mexico", "italy"], 1)
    assert [HOUSE.countries[country].id for country in state.queue] == ["peru", "turkey"]
    state = play(state, "0 travel")
    assert (state.places[0].done, state.active) == (True, 1)


def test_a_map_takes_a_travel_away_from_who_had_its_items() -> None:
    # 6.3: the country taken keeps no progress.
    state = play(position("poorly_drawn_map", TURKEY, countries="italy turkey"), "0 play:poorly_drawn_map:1")
    assert countries(state) == ["italy", "mexico"]
    assert "travel" not in texts(state, 1)


def test_a_map_with_one_country_set_aside_brings_the_first_back_at_its_second_use() -> None:
    # 6.3: to the bottom first, then the top one.
    state = position("poorly_drawn_map", "camera camera", discard="lost_reservation", pile="camera " * 5)
    state = play(state, "0 play:poorly_drawn_map:1", "1 recycle:poorly_drawn_map:camera+camera")
    assert countries(state) == ["turkey", "mexico"]
    state = play(state, "0 draw", "1 play:poorly_drawn_map:1")
    assert countries(state) == ["turkey", "italy"]


def test_a_map_is_no_play_where_all_are_on_their_way_to_the_centre_or_nothing_is_set_aside() -> None:
    # H8; R2: then it does not count as something to do.
    done = position("poorly_drawn_map fireworks", "camera", done=(0, 1), pile="")
    empty = position("poorly_drawn_map fireworks", "camera", aside="", pile="")
    for state in (done, empty):
        assert not [text for text in texts(state, 0) if text.startswith("play")]
        for seat in (0, 1):
            with pytest.raises(IllegalMove):
                tell(state, 0, f"play:poorly_drawn_map:{seat}")


def test_a_map_cannot_reach_who_has_left_nor_the_centre() -> None:
    # 1.2, R57.
    state = left(position("poorly_drawn_map", "camera", "camera"), 1)
    assert texts(state, 0, "play:poorly_drawn_map:") == ["play:poorly_drawn_map:0", "play:poorly_drawn_map:2"]
    for seat in (1, 3):
        with pytest.raises(IllegalMove, match="H8"):
            tell(state, 0, f"play:poorly_drawn_map:{seat}")


def test_civil_unrest_and_the_map_turn_the_same_pile() -> None:
    # 6.3: the country in the centre goes under, and comes back before a seat.
    state = position("camera", "poorly_drawn_map", pile="civil_unrest camera")
    state = play(state, "0 draw", "1 play:poorly_drawn_map:0")
    assert (HOUSE.countries[state.centre].id, countries(state)) == ("mexico", ["norway", "italy"])
    assert [HOUSE.countries[country].id for country in state.queue] == ["turkey"]


def test_red_eye_flight_allows_one_travel_of_two_actions() -> None:
    # 6.3: also when the items for the centre are in hand.
    held = f"{TURKEY} hiking_boots rain_jacket red_eye_flight"
    state = position(held, "camera", discard=SEEN, pile="warm_coat camera camera")
    state = play(state, "0 play:red_eye_flight", "0 travel")
    assert set(NORWAY.split()) <= set(hand(state, 0).split())
    assert (state.active, state.acted, state.places[0].done) == (0, 1, True)
    assert "travel" not in texts(state, 0)
    with pytest.raises(IllegalMove, match=r"6\.3"):
        tell(state, 0, "travel")
    state = play(state, "0 draw", "1 draw")
    assert "travel" in texts(state, 0)


def test_red_eye_flight_is_played_before_the_first_action_only() -> None:
    # 6.3: a declined offer is no action; a Voucher neither.
    state = position("red_eye_flight duty_free_voucher camera", "camera", pile="bug_spray " * 6)
    state = play(state, "0 offer:1:camera>camera", "1 decline", "0 play:duty_free_voucher")
    assert "play:red_eye_flight" in texts(state, 0)
    after = play(state, "0 play:red_eye_flight", "0 recycle:red_eye_flight:bug_spray+bug_spray")
    assert (hand(after, 0), after.acted) == ("camera red_eye_flight", 1)
    assert "play:red_eye_flight" not in texts(after, 0)
    with pytest.raises(IllegalMove, match="R48"):
        tell(after, 0, "play:red_eye_flight")


def test_red_eye_flight_with_the_credit_card_travels_once() -> None:
    # 6.3, R29.
    held = "camera phrasebook passport_01 moms_credit_card red_eye_flight"
    state = position(held, "camera", discard=SEEN, pile="sunscreen " * 4)
    state = play(state, "0 play:red_eye_flight", "0 draw", "0 travel:moms_credit_card")
    assert (state.places[0].done, state.active) == (True, 1)
    assert HOUSE.ids(state.discard)[-3:] == ("camera", "phrasebook", "moms_credit_card")


def test_red_eye_flight_and_a_local_guide_who_ends_the_pile() -> None:
    # R10: the reshuffled pile has the flight, and is drawn from by the second action.
    state = position("red_eye_flight local_guide", "camera", pile="sunscreen")
    state = play(state, "0 play:red_eye_flight", "0 play:local_guide", "0 take:sunscreen")
    assert (state.active, state.acted) == (0, 1)
    assert HOUSE.ids(state.pile[0].cards) == ("red_eye_flight",)
    after = play(state, "0 draw")
    assert (hand(after, 0), after.active) == ("sunscreen red_eye_flight", 1)


def test_a_pass_is_the_first_action_of_a_red_eye_flight_where_nothing_else_is_possible() -> None:
    # R2: for each of the two actions.
    state = position("red_eye_flight fireworks", "camera camera", pile="")
    state = play(state, "0 play:red_eye_flight")._replace(discard=())
    for acted in (0, 1):
        assert (state.acted, texts(state, 0)) == (acted, ["offer:", "pass"])
        state = play(state, "0 pass")
    assert state.active == 1
