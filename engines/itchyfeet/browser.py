"""The cards of the house deck as somebody may look them up: what each does, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Card, Character, Country, Group
from engines.itchyfeet.deck import HOUSE
from engines.kit import faces as kit
from engines.kit.catalogues import card_texts
from engines.kit.faces import Face, Shelved, look_up

Texts = Mapping[str, str]

_FOLDER: Final = Path(__file__).parent / "locale"
_SHELVES: Final = ("countries", "items", "passports", "special", "contraband", "postcards", "events", "characters")
_GROUPS: Final = {
    Group.ITEM: "items",
    Group.PASSPORT: "passports",
    Group.SPECIAL: "special",
    Group.CONTRABAND: "contraband",
    Group.POSTCARD: "postcards",
    Group.EVENT: "events",
}
_CARDS: Final[tuple[Card | Character | Country, ...]] = (*HOUSE.countries, *HOUSE.cards, *HOUSE.characters)


def faces(wanted: str, language: str) -> list[Face]:
    """The cards that fit, as `look_up`; shelves are the groups, `events` say, in English and in the language."""
    texts = card_texts(_FOLDER, language)
    shelved = ((_shelf(card), _face(card, texts)) for card in _CARDS)
    return look_up((Shelved(face, (shelf, texts[f"label.{shelf}"])) for shelf, face in shelved), wanted)


def alike(wanted: str) -> list[str]:
    """Names and groups that may have been meant."""
    return kit.alike(wanted, [card.name for card in _CARDS], _SHELVES)


def headings(language: str) -> list[str]:
    """What stands over a table of cards: name, deck, group and sources, text."""
    texts = card_texts(_FOLDER, language)
    return [texts[f"label.heading.{column}"] for column in ("card", "deck", "kind", "effect")]


def _shelf(card: Card | Character | Country) -> str:
    if isinstance(card, Country):
        return "countries"
    return "characters" if isinstance(card, Character) else _GROUPS[card.group]


def _face(card: Card | Character | Country, texts: Texts) -> Face:
    shelf = _shelf(card)
    kinds = [texts[f"label.{shelf}"]]
    if isinstance(card, Card) and card.group is Group.SPECIAL:
        own = card.effect is not None and card.effect.when == effects.ACTION
        kinds.append(texts["label.action" if own else "label.no_action"])
    kinds.append(texts["label.source.name"].format(source=texts[f"label.source.{card.source}"]))
    if not isinstance(card, Country) and card.effect is not None:
        kinds.append(texts["label.source.effect"].format(source=texts[f"label.source.{card.effect_source}"]))
    return Face(card.id, card.name, texts["label.deck"], ", ".join(kinds), says=(_says(card, shelf, texts),))


def _says(card: Card | Character | Country, shelf: str, texts: Texts) -> tuple[str, str]:
    if isinstance(card, Country):
        return texts["label.needs"], ", ".join(HOUSE.cards[item].name for item in card.requires)
    if card.effect is not None:
        return texts["label.effect"], texts[f"effect.{card.id}"]
    copies = card.copies if isinstance(card, Card) else 1
    return texts["label.effect"], texts[f"group.{shelf}"].format(copies=copies)
