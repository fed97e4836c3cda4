"""Deck files: what is wrong is found, all of it, with its place; the built-in deck is that of the rules page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet.cards import Group
from engines.itchyfeet.deck import HOUSE, HOUSE_FILE, check, read
from engines.itchyfeet.deck_format import DeckError
from engines.itchyfeet.game import GAME, ItchyFeet
from engines.itchyfeet.state import State
from engines.kit.options import full_options

NOTES = {"note", "sources", "unknown_official"}
"""What is written down for people; the engine reads none of it."""

Change = Callable[[dict[str, Any]], None]


def changed(change: Change) -> bytes:
    document = json.loads(HOUSE_FILE.read_bytes())
    change(document)
    return json.dumps(document).encode()


def set_in(*path: Any, to: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        at: Any = document
        for part in path[:-1]:
            at = at[part]
        at[path[-1]] = to

    return change


def test_the_house_deck_is_sound_and_called_house() -> None:
    assert check(HOUSE_FILE.read_bytes()) == ()
    assert HOUSE.key.startswith("house-")
    counts = {group: sum(HOUSE.cards[card].copies for card in HOUSE.of(group)) for group in Group}
    assert list(counts.values()) == [32, 12, 9, 3, 6, 4]
    assert (len(HOUSE.countries), len(HOUSE.characters)) == (13, 6)


def test_every_entry_keeps_its_source_mark() -> None:
    assert {card.source for card in HOUSE.cards} == {"official", "seed", "house"}
    assert HOUSE.cards[HOUSE.numbers["moms_credit_card"]].source == "seed"
    assert HOUSE.cards[HOUSE.numbers["moms_credit_card"]].effect_source == "house"


@pytest.mark.parametrize(
    ("change", "place", "what"),
    [
        (set_in("format", to="x"), "format", "expected 'itchyfeet-deck/1'"),
        (set_in("items", 0, "copies", to=0), "items[0].copies", "from 1 to 12"),
        (set_in("items", 1, "id", to="hiking_boots"), "items[1].id", "items[0]"),
        (set_in("items", 1, "id", to="none"), "items[1].id", "not none"),
        (set_in("items", 1, "name", to=""), "items[1].name", "printable"),
        (set_in("items", 1, "source", to="web"), "items[1].source", "official"),
        (set_in("items", 1, "colour", to="red"), "items[1].colour", "not known"),
        (set_in("countries", 2, "requires", 0, to="tent"), "countries[2].requires[0]", "id of an item"),
        (set_in("countries", 2, "requires", to=["camera"]), "countries[2].requires", "list of 3"),
        (set_in("events", 0, "effect", "kind", to="earthquake"), "events[0].effect.kind", "replace_centre"),
        (set_in("special_items", 2, "effect", "look", to=99), "special_items[2].effect.look", "from 1 to 10"),
        (set_in("special_items", 3, "effect", "min", to=3), "", ""),
        (set_in("special_items", 0, "effect", "when", to="action"), "special_items[0].effect.when", "with_own_travel"),
        (set_in("special_items", 0, "effect", "range", to=1), "special_items[0].effect.range", "not known"),
        (set_in("contraband", 0, "effect", to={}), "contraband[0].effect", "expected none"),
        (set_in("counts", "items", "value", to=33), "counts.items.value", "items has 32 cards"),
        (set_in("constants", "hand_limit", "value", to="7"), "constants.hand_limit.value", "whole number"),
        (set_in("distances_km", "matrix", 0, 1, to=5), "distances_km.matrix[1][0]", "as back"),
        (set_in("distances_km", "order", to=[]), "distances_km.order", "each country"),
        (set_in("contraband", 0, "copies", to=6), "contraband", "R20"),
        (set_in("cards", to=[]), "cards", "not known"),
        (set_in("characters", to=[]), "characters", "at least 6"),
    ],
)
def test_each_error_is_explained_with_its_place(change: Change, place: str, what: str) -> None:
    found = check(changed(change))
    if not place:
        assert found == ()
        return
    assert any(problem.place == place and what in problem.what for problem in found), found


def test_all_errors_are_found_at_once() -> None:
    def change(document: dict[str, Any]) -> None:
        document["format"] = "x"
        document["items"][0]["copies"] = 99
        document["events"] = None

    assert {"format", "items[0].copies", "events"} <= {problem.place for problem in check(changed(change))}


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"{", b'{"a": 1, "a": 2}', b"null", b"[" * 100_000])
def test_what_is_no_deck_at_all_is_explained(data: bytes) -> None:
    assert check(data)
    with pytest.raises(DeckError):
        read(data)


def test_values_of_wrong_types_anywhere_are_explained() -> None:
    document = json.loads(HOUSE_FILE.read_bytes())
    values: tuple[Any, ...] = (None, 7, "x", [], {}, [None], [{}], {"a": None})
    for name in document.keys() - NOTES:
        for value in values:
            if (name, value) != ("name", "x"):
                places = [problem.place for problem in check(changed(set_in(name, to=value)))]
                assert any(place.startswith((name, f"counts.{name}")) for place in places), (name, value, places)


def test_notes_may_be_anything_or_missing() -> None:
    for name in NOTES:
        for value in (7, [None], {"a": None}):
            assert check(changed(set_in(name, to=value))) == ()

        def without(document: dict[str, Any], name: str = name) -> None:
            del document[name]

        assert check(changed(without)) == ()


def test_another_deck_is_played_without_code_and_pinned_by_its_digest() -> None:
    other = read(changed(set_in("name", to="mine")))
    assert other != HOUSE
    game = ItchyFeet((HOUSE, other))
    options = full_options(game.info, {"deck": other.key})
    state = game.setup(options, 3, SeededDraw(bytes(32), 1))
    assert isinstance(state, State)
    assert state.deck == other
    assert game.load(game.dump(state)) == state
    with pytest.raises(ValueError, match="not known here"):
        GAME.load(game.dump(state))
