"""The table as text."""

from __future__ import annotations

import pytest
from hamle.coerceo.v1 import coerceo_pb2

from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import State
from engines.kit.game import EVERYBODY, PUBLIC
from tests.engines.itchyfeet.table import play, position


def shown(state: State, audience: int, language: str = "en") -> str:
    return GAME.text(GAME.view(state, audience), audience, language)


def test_own_hand_countries_piles_and_what_to_do_are_shown() -> None:
    text = shown(position("camera sunscreen", "bug_spray", discard="warm_coat"), 0)
    assert "You (seat 0): turkey, needs camera phrasebook warm_coat, hand 2/7" in text
    assert "cards: sunscreen camera" in text
    assert "Centre: norway" in text
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
