"""Reads and checks a deck file, and explains each error with its place. The format is in this folder's README.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Card, Character, Constants, Country, Deck, Effect, Group
from engines.itchyfeet.deck_check import Checker
from engines.itchyfeet.deck_enough import check_enough
from engines.itchyfeet.deck_format import FORMAT, TOP, DeckError
from engines.itchyfeet.deck_json import parsed
from engines.kit.game import Problem

HOUSE_FILE: Final = Path(__file__).parent / "decks" / "house.json"

_GROUPS: Final = (
    ("items", Group.ITEM, None),
    ("passports", Group.PASSPORT, None),
    ("special_items", Group.SPECIAL, effects.SPECIAL_ITEMS),
    ("contraband", Group.CONTRABAND, None),
    ("postcards", Group.POSTCARD, None),
    ("events", Group.EVENT, effects.EVENTS),
)


def check(data: bytes) -> tuple[Problem, ...]:
    """All that is wrong with a deck file, in the order of the file's format; empty when it can be played with."""
    try:
        read(data)
    except DeckError as error:
        return error.problems
    return ()


def read(data: bytes) -> Deck:
    """The deck in the bytes of a file. Raises `DeckError` with every problem found."""
    document = parsed(data)
    checker = Checker()
    _check(checker, document)
    checker.stop()
    return _built(data, document)


def _check(checker: Checker, document: Any) -> None:
    if not checker.object(document, "the file"):
        return
    if document.get("format") != FORMAT:
        checker.add("format", f"is {document.get('format')!r}; expected {FORMAT!r}")
    checker.id(document.get("name"), "name")
    checker.constants(document.get("constants"))
    seen: dict[str, str] = {}
    for name, group, specs in _GROUPS:
        checker.cards(document.get(name), name, seen, specs, copies=group not in (Group.PASSPORT,))
    checker.characters(document.get("characters"), seen)
    checker.countries(document)
    checker.counts(document)
    check_enough(checker, document)
    checker.fields(document, "", TOP)


def _effect(entry: Mapping[str, Any]) -> Effect | None:
    found = entry.get("effect")
    if found is None:
        return None
    params = tuple(sorted((name, value) for name, value in found.items() if name not in ("kind", "when")))
    return Effect(found["kind"], found.get("when", ""), params)


def _cards(document: Mapping[str, Any]) -> Iterable[Card]:
    for name, group, _ in _GROUPS:
        for entry in document[name]:
            source = entry["source"]
            yield Card(
                entry["id"],
                entry["name"],
                group,
                entry.get("copies", 1),
                _effect(entry),
                source,
                entry.get("effect_source", source),
            )


def _built(data: bytes, document: Mapping[str, Any]) -> Deck:
    cards = tuple(_cards(document))
    numbers = {card.id: number for number, card in enumerate(cards)}
    entries = document["countries"]
    countries = tuple(
        Country(e["id"], e["name"], tuple(sorted(numbers[i] for i in e["requires"])), e["source"]) for e in entries
    )
    table = document["distances_km"]
    at = {country: index for index, country in enumerate(table["order"])}
    distances = tuple(tuple(table["matrix"][at[a["id"]]][at[b["id"]]] for b in entries) for a in entries)
    characters = []
    for entry in document["characters"]:
        effect = _effect(entry)
        assert effect is not None
        source = entry["source"]
        characters.append(
            Character(entry["id"], entry["name"], effect, source, entry.get("effect_source", source)),
        )
    constants = Constants(**{name: document["constants"][name]["value"] for name in Constants._fields})
    return Deck(
        data,
        document["name"],
        constants,
        cards,
        countries,
        distances,
        tuple(characters),
    )


HOUSE: Final = read(HOUSE_FILE.read_bytes())
"""The deck that comes with these rules. It is this project's own and is called *house* wherever it is shown."""
