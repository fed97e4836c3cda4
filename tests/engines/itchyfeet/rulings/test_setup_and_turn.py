"""Rulings R1 to R9: set-up, starting seat, turns."""

from __future__ import annotations

import pytest

from engines.itchyfeet.deck import HOUSE
from engines.itchyfeet.game import GAME
from engines.itchyfeet.setup import all_cards
from engines.itchyfeet.state import Kind, Rules
from engines.kit.game import IllegalMove
from tests.engines.itchyfeet.table import ALL_ON, EVERYTHING, everything, hand, play, position, start, tell, texts

BASE = Rules()
SEEDS = range(1, 9)


@pytest.mark.parametrize("seed", SEEDS)
def test_r1_characters_lie_face_up_and_are_never_in_the_pile(seed: int) -> None:
    state = start(6, seed, **ALL_ON)
    assert len({place.character for place in state.places}) == 6
    assert sum(len(block.cards) for block in state.pile) == len(all_cards(HOUSE, EVERYTHING)) - sum(
        len(held) - 1 for held in state.hands
    )
    assert all(place.character < 0 for place in start(6, seed).places)


def test_r2_an_action_must_be_taken_and_a_pass_needs_that_nothing_but_an_offer_is_possible() -> None:
    for state in (
        position("camera", "camera", pile="camera", rules=BASE),
        position("camera camera", "camera", pile="", rules=BASE),
        position("camera", "camera", pile="", rules=BASE),
        position("fireworks camera", "", pile="", rules=Rules(contraband=True)),
        position("camera camera", "", pile="", rules=BASE),
        position("duty_free_voucher", "", pile=""),
        position("fireworks", "", pile="", characters="smuggler"),
    ):
        assert "pass" not in texts(state, 0)
        with pytest.raises(IllegalMove, match="R2"):
            tell(state, 0, "pass")
    stuck = position("fireworks", "camera", pile="", rules=Rules(contraband=True))
    assert texts(stuck, 0) == ["offer:", "pass"]
    assert play(stuck, "0 pass").active == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_r3_starting_hands_are_one_passport_and_items(seed: int) -> None:
    state = start(6, seed, **ALL_ON)
    for seat, held in enumerate(state.hands):
        passports = [card for card in held if card in HOUSE.passports]
        items = [card for card in held if card < min(HOUSE.passports)]
        assert len(passports) == 1
        assert len(items) == len(held) - 1 == (4 if state.ability(seat) == "larger_hand" else 3)


@pytest.mark.parametrize("seed", SEEDS)
def test_r4_the_seat_nearest_to_the_centre_by_the_table_starts(seed: int) -> None:
    state = start(5, seed)
    far = [HOUSE.distances[place.country][state.centre] for place in state.places]
    assert state.starter == state.active == far.index(min(far))


@pytest.mark.parametrize("seed", SEEDS)
def test_each_country_lies_in_one_place_from_the_start(seed: int) -> None:
    for seats in range(2, 7):
        state = start(seats, seed)
        lying = [*(place.country for place in state.places), state.centre, *state.aside]
        assert sorted(lying) == list(range(13))
        assert state.queue == ()


def test_r4_the_table_has_no_ties() -> None:
    for one, row in enumerate(HOUSE.distances):
        others = [km for other, km in enumerate(row) if other != one]
        assert len(set(others)) == len(others)


def test_r5_two_to_six_seats() -> None:
    assert (GAME.info.min_seats, GAME.info.max_seats) == (2, 6)


def test_r6_passports_are_dealt_at_random_and_all_work_alike() -> None:
    dealt = {card for seed in range(1, 40) for held in start(2, seed).hands for card in held if card in HOUSE.passports}
    assert len(dealt) == len(HOUSE.passports)
    for number in range(1, 13):
        state = position(f"camera phrasebook warm_coat passport_{number:02}", "camera", rules=BASE)
        assert "travel" in texts(state, 0)


def test_r7_an_empty_hand_is_looked_at_once_and_not_again_when_all_draws_were_events() -> None:
    state = position("bug_spray", "", pile="camera civil_unrest lost_luggage", rules=Rules(events=True))
    state, facts = tell(state, 0, "draw")
    assert [fact.kind for fact in facts].count("event") == 3
    assert (state.active, hand(state, 1), state.agenda[-1].kind) == (1, "", Kind.ACTION)
    assert texts(state, 1) == ["draw"]


def test_r7_the_hand_that_a_turn_empties_draws_at_its_next_start_only() -> None:
    state = play(position("camera", "camera", pile="sunscreen " * 9, rules=BASE), "0 steal:1:camera")
    assert (hand(state, 0), hand(state, 1)) == ("camera", "sunscreen sunscreen sunscreen")


def test_r8_three_draws_take_what_there_is() -> None:
    state = play(position("camera camera", "", pile="", discard="", rules=BASE), "0 recycle:camera:camera+camera")
    assert len(state.hands[1]) == 1
    assert everything(state)[HOUSE.numbers["camera"]] == 2


def test_r9_the_target_is_the_own_country_then_the_centre() -> None:
    centre = "hiking_boots rain_jacket warm_coat passport_01"
    own = "camera phrasebook warm_coat passport_01"
    other = "camera phrasebook power_adapter passport_01"
    assert "travel" in texts(position(own, "camera", rules=BASE), 0)
    assert "travel" not in texts(position(centre, "camera", rules=BASE), 0)
    assert "travel" not in texts(position(other, "camera", rules=BASE), 0)
    assert "travel" in texts(position(centre, "camera", done=(0,), rules=BASE), 0)
    assert "travel" not in texts(position(own, "camera", done=(0,), rules=BASE), 0)
