"""The cards of the house deck as somebody may look them up: what each does, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Card, Character, Country, Group
from engines.itchyfeet.deck import HOUSE
from engines.kit.catalogues import LANGUAGES, read_texts

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


class Face(NamedTuple):
    """A card to look at. `says` are pairs of a heading and a text; there are no diagrams in this game."""

    key: str
    name: str
    deck: str
    kind: str
    diagram: tuple[tuple[str, ...], ...]
    legend: tuple[str, ...]
    says: tuple[tuple[str, str], ...]


def faces(wanted: str, language: str) -> list[Face]:
    """The card of that id or name, else all of that group, `events` say, else those whose names hold the text.

    Capitals, blanks, hyphens and underscores do not matter; an empty text finds all.
    """
    words, texts = _plain(wanted), _texts(language)
    shelved = [(_shelf(card), _face(card, texts)) for card in _CARDS]
    found = [face for _, face in shelved]
    for fits in (
        [face for face in found if words in (_plain(face.key), _plain(face.name))],
        [face for shelf, face in shelved if words in (_plain(shelf), _plain(texts[f"label.{shelf}"]))],
    ):
        if fits:
            return fits
    return [face for face in found if words in _plain(face.name)]


def alike(wanted: str) -> list[str]:
    """Up to three names that may have been meant, and the groups when there are none."""
    by_plain = {_plain(name): name for name in (*(card.name for card in _CARDS), *_SHELVES)}
    return [by_plain[name] for name in get_close_matches(_plain(wanted), by_plain)] or list(_SHELVES)


def headings(language: str) -> list[str]:
    """What stands over a table of cards: name, deck, group and sources, text."""
    texts = _texts(language)
    return [texts[f"label.heading.{column}"] for column in ("card", "deck", "kind", "effect")]


def _texts(language: str) -> Texts:
    short = language.partition("-")[0]
    return _read(short if short in LANGUAGES else LANGUAGES[0])


@cache
def _read(language: str) -> Texts:
    return read_texts(_FOLDER / f"cards.{language}.json")


def _plain(text: str) -> str:
    return "".join(text.casefold().replace("-", " ").replace("_", " ").split())


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
    return Face(card.id, card.name, texts["label.deck"], ", ".join(kinds), (), (), (_says(card, shelf, texts),))


def _says(card: Card | Character | Country, shelf: str, texts: Texts) -> tuple[str, str]:
    if isinstance(card, Country):
        return texts["label.needs"], ", ".join(HOUSE.cards[item].name for item in card.requires)
    if card.effect is not None:
        return texts["label.effect"], texts[f"effect.{card.id}"]
    copies = card.copies if isinstance(card, Card) else 1
    return texts["label.effect"], texts[f"group.{shelf}"].format(copies=copies)
