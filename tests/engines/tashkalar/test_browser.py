from __future__ import annotations

from string import Formatter

import pytest

from engines.kit.catalogues import LANGUAGES
from engines.tashkalar.browser import alike, faces, headings
from engines.tashkalar.cards import BEINGS, DECKS, FLARES, TASKS
from engines.tashkalar.words import card_texts
from tests.engines.tashkalar.faces import book, file


def names(wanted: str) -> list[str]:
    return [face.name for face in faces(wanted, "en")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_cards_look_as_they_are_written_down(language: str) -> None:
    assert book(language) == file(language).read_text(encoding="utf-8")


def test_both_languages_have_the_same_texts_with_the_same_placeholders() -> None:
    english, turkish = (card_texts(language) for language in LANGUAGES)
    assert list(english) == list(turkish)
    for key in english:
        used = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in (english[key], turkish[key])]
        assert used[0] == used[1], key
        assert english[key]
        assert turkish[key]


def test_every_effect_has_a_text_and_every_text_an_effect() -> None:
    wanted = {f"effect.{being.key}" for being in BEINGS}
    wanted |= {f"frozen.{being.key}" for being in BEINGS if being.frozen}
    wanted |= {f"warp.{being.key}" for being in BEINGS if being.warp}
    wanted |= {f"flare.{flare.number + 1}.{half}" for flare in FLARES for half in ("upper", "lower")}
    wanted |= {f"task.{task.key}" for task in TASKS}
    assert {key for key in card_texts("en") if not key.startswith("label.")} == wanted


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_shown_somewhere(language: str) -> None:
    shown = book(language) + " ".join(headings(language))
    for key, text in card_texts(language).items():
        for part in Formatter().parse(text):
            assert part[0] in shown, key


def test_an_unknown_language_gets_english_and_a_country_does_not_matter() -> None:
    assert card_texts("fi") is card_texts("en")
    assert card_texts("tr-TR") is card_texts("tr")
    assert card_texts("tr") != card_texts("en")


@pytest.mark.parametrize("wanted", ["time-mage", "Time Mage", "TIME MAGE", "timemage"])
def test_a_card_is_found_by_key_and_name_however_it_is_written(wanted: str) -> None:
    assert names(wanted) == ["Time Mage"]


def test_a_whole_name_goes_before_names_that_hold_it() -> None:
    assert names("summoner") == ["Summoner"]
    assert names("mage") == ["Time Mage"]
    assert names("knig") == ["Knight"]
    assert len(names("summone")) == 5


@pytest.mark.parametrize(
    ("deck", "number"), [*((deck, len(cards)) for deck, cards in DECKS.items()), ("flares", 12), ("tasks", 24)]
)
def test_a_deck_is_found_by_its_name(deck: str, number: int) -> None:
    assert len(faces(deck, "tr")) == number


def test_a_deck_is_found_by_its_name_in_the_language_too() -> None:
    assert len(faces("yayla", "tr")) == 18
    assert faces("yayla", "en") == []


def test_nothing_asked_is_everything() -> None:
    assert len(faces("", "en")) == 156


def test_a_wrong_name_has_names_that_may_have_been_meant() -> None:
    assert faces("bonb", "en") == []
    assert alike("bonb") == ["Bomb"]
    assert alike("tasc") == ["tasks"]
    assert "highland" in alike("?")


def test_a_diagram_shows_what_the_card_does_not_say() -> None:
    (cannon,) = faces("cannon", "en")
    assert ["".join(row) for row in cannon.diagram] == [" .  ↖  ↑  ↗ ", " .  C [C] → ", " C  ↙  ↓  ↘ "]
    (dragon,) = faces("two-headed-dragon", "en")
    assert ["".join(row) for row in dragon.diagram] == ["[ ] .  H* . ", " .  H* .  . ", " H* .  C* . ", " .  .  .  C*"]


def test_every_cell_of_a_diagram_is_three_characters_wide() -> None:
    for face in faces("", "en"):
        assert {len(cell) for row in face.diagram for cell in row} <= {3}
        assert len({len(row) for row in face.diagram}) <= 1
