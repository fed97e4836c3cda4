"""The table as text."""

from __future__ import annotations

import pytest
from hamle.coerceo.v1 import coerceo_pb2

from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import State
from engines.kit.game import EVERYBODY, PUBLIC
from tests.engines.itchyfeet.arranged import TURKEY
from tests.engines.itchyfeet.table import play, position, tell


def shown(state: State, audience: int, language: str = "en") -> str:
    return GAME.text(GAME.view(state, audience), audience, language)


def test_own_hand_countries_piles_and_what_to_do_are_shown() -> None:
    text = shown(position("camera sunscreen", "bug_spray", discard="warm_coat"), 0)
    assert "You (seat 0): turkey, needs camera phrasebook warm_coat, hand 2/7" in text
    assert "cards: sunscreen camera" in text
    assert "Centre: norway, needs hiking_boots rain_jacket warm_coat" in text
    assert "newest last: warm_coat" in text
    assert "You (seat 0): take an action" in text
    assert "Deck: house " in text
    assert "bug_spray" not in text


@pytest.mark.parametrize("audience", [1, PUBLIC])
def test_the_hand_of_another_is_not_shown(audience: int) -> None:
    assert "sunscreen" not in shown(position("camera sunscreen", "bug_spray"), audience)


def test_everybody_reads_all_hands() -> None:
    assert shown(position("camera", "bug_spray"), EVERYBODY).count("cards:") == 2


def test_an_offer_and_what_it_showed() -> None:
    state = play(position("camera", "bug_spray"), "0 offer:1:camera>bug_spray")
    assert "Offer of seat 0: camera for bug_spray" in shown(state, 1)
    assert "known: camera" in shown(state, PUBLIC)


def test_the_end_is_shown_in_both_languages() -> None:
    items = "hiking_boots rain_jacket warm_coat passport_01"
    state = play(position(items, "camera", done=(0,), discard="lost_reservation"), "0 travel")
    assert "Seat 0 has travelled to the centre and wins." in shown(state, EVERYBODY)
    assert "kazandı" in shown(state, EVERYBODY, "tr")
    assert "Centre: -" in shown(state, EVERYBODY)


def test_a_view_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="no view of Itchy Feet"):
        GAME.text(coerceo_pb2.View(), 0, "en")


def test_a_window_says_what_can_be_blocked() -> None:
    theft = play(position("camera", "bug_spray", "sunscreen"), "0 steal:1:camera")
    assert "Seat 0 is about to take a card of seat 1" in shown(theft, 1)
    travel = play(position(f"{TURKEY} sunscreen", "bug_spray"), "0 travel")
    assert "Seat 0 is about to travel to turkey" in shown(travel, PUBLIC)
    assert "Oyuncu 0 yolculuğa çıkmak üzere: turkey" in shown(travel, 1, "tr")
    norway = position("hiking_boots rain_jacket warm_coat passport_01", "camera", done=(0,))
    assert "about to travel to norway" in shown(play(norway, "0 travel"), 1)


def test_actions_of_a_red_eye_flight_and_offers_are_counted() -> None:
    state = position(f"{TURKEY} red_eye_flight", "camera", discard="lost_reservation", pile="camera " * 5)
    assert "Action" not in shown(state, 0)
    state = play(state, "0 play:red_eye_flight", "0 offer:1:camera>camera", "1 decline")
    assert "Action 1 of 2 in this turn" in shown(state, 1)
    assert "Offers made in this turn: 1" in shown(state, 1)
    assert "No second travel" not in shown(state, 1)
    assert "No second travel in this turn" in shown(play(state, "0 travel"), 0)


def test_a_seat_reads_what_all_know_of_its_own_hand() -> None:
    state = play(position("camera sunscreen", "bug_spray"), "0 offer:1:camera>bug_spray", "1 decline")
    assert "  known to all: camera\n" in shown(state, 0)
    assert "  known: camera\n" in shown(state, 1)


def test_known_cards_of_the_pile_are_shown_with_their_places() -> None:
    pile = "rain_jacket warm_coat phrasebook camera power_adapter bug_spray"
    state = play(position("local_guide trading_post camera", "camera", pile=pile), "0 play:local_guide")
    assert "cards seen: rain_jacket camera phrasebook warm_coat power_adapter" in shown(state, 0)
    state = play(state, "0 take:camera", "1 draw", "0 play:trading_post:camera")
    text = " ".join(shown(state, 0).split())
    assert "Draw pile: 5 cards 1 to 4 of it, in any order: rain_jacket phrasebook warm_coat power_adapter" in text
    assert " card 5 of it: camera" in text
    assert "of it" not in shown(state, 1)


def test_a_globetrotter_with_contraband_alone_is_told_apart_from_who_can_do_nothing() -> None:
    pile = "exotic_plant unlabelled_cheese camera"
    state = play(position("fireworks", "camera", pile=pile, characters="globetrotter"), "0 draw")
    _, facts = tell(state, 0, "pass")
    assert facts[0].kind == "kept_all"
