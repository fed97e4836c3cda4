"""Cards looked up: what each does, in both languages, each called house and with its source marks."""

from __future__ import annotations

import json

import pytest

from engines.itchyfeet.browser import alike, faces, headings
from engines.itchyfeet.deck import HOUSE

DOCUMENT = json.loads(HOUSE.data)
WITH_EFFECT = [entry for group in ("special_items", "events", "characters") for entry in DOCUMENT[group]]


def test_all_cards_are_there_and_called_house() -> None:
    for language in ("en", "tr"):
        found = faces("", language)
        assert len(found) == len(HOUSE.cards) + len(HOUSE.countries) + len(HOUSE.characters)
        assert {face.deck for face in found} == {"house"}
        assert all("{" not in text for face in found for pair in face.says for text in pair)


@pytest.mark.parametrize("entry", WITH_EFFECT, ids=lambda entry: entry["id"])
def test_an_effect_is_the_deck_s_own_text_with_its_sources(entry: dict[str, str]) -> None:
    (face,) = faces(entry["name"], "en")
    assert (face.key, face.says) == (entry["id"], (("Effect", entry["text"]),))
    name = {"official": "official", "seed": "from the printed rules", "house": "house"}[entry["source"]]
    assert face.kind.endswith(f"name: {name}, effect: house")
    (turkish,) = faces(entry["id"], "tr")
    assert turkish.says[0][1] not in ("", entry["text"])


def test_who_takes_an_action_is_told() -> None:
    kinds = {face.key: face.kind for face in faces("special item", "en")}
    assert {key for key, kind in kinds.items() if "takes your action" in kind} == {
        "local_guide",
        "trading_post",
        "poorly_drawn_map",
        "sticky_fingers",
    }


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ("turkey", ["turkey"]),
        ("new-zealand", ["new_zealand"]),
        ("olay", []),
        ("events", ["civil_unrest", "lost_luggage", "group_tour", "duty_free_sale"]),
        ("contraband", ["fireworks", "exotic_plant", "unlabelled_cheese"]),
        ("lost", ["lost_reservation", "lost_luggage"]),
        ("the moon", []),
    ],
)
def test_a_card_is_found_by_name_or_part_of_it_or_by_its_group(wanted: str, keys: list[str]) -> None:
    assert [face.key for face in faces(wanted, "en")] == keys


def test_a_country_says_what_it_needs_and_an_item_how_many_there_are() -> None:
    assert faces("turkey", "en")[0].says == (("Needs", "Camera, Phrasebook, Warm Coat"),)
    assert "Copies: 4" in faces("camera", "en")[0].says[0][1]


def test_names_that_may_have_been_meant() -> None:
    assert alike("moustrap") == ["Mousetrap"]
    assert "events" in alike("xyzzy")
    assert len(headings("tr-TR")) == len(headings("fr")) == 4
