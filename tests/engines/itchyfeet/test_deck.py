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
        (set_in("distances_km", "order", to=[]), "distances_km.order", "lacks brazil, iceland"),
        (set_in("distances_km", "order", to=None), "distances_km.order", "each country"),
        (set_in("distances_km", "order", 3, to="atlantis"), "distances_km.order[3]", "is 'atlantis'"),
        (set_in("distances_km", "order", 3, to="atlantis"), "distances_km.order", "lacks italy"),
        (set_in("distances_km", "order", 3, to="brazil"), "distances_km.order[3]", "once"),
        (set_in("distances_km", "source", to="me"), "distances_km.source", "one of official"),
        (set_in("distances_km", "rows", to=1), "distances_km.rows", "not known"),
        (set_in("constants", "draw", "valeu", to=1), "constants.draw.valeu", "not known"),
        (set_in("constants", "steal_cost", "value", to=2), "constants.steal_cost.value", "expected 1"),
        (set_in("counts", "item", to={}), "counts.item", "not known"),
        (set_in("counts", "items", "size", to=1), "counts.items.size", "not known"),
        (set_in("counts", "items", "value", to=32.0), "counts.items.value", "is 32.0, but items has 32 cards"),
        (set_in("events", 0, "text", to={}), "events[0].text", "expected text"),
        (set_in("countries", 0, "reference_city", to=5), "countries[0].reference_city", "expected text"),
        (set_in("countries", 0, "lat", to=float("nan")), "countries[0].lat", "is nan; expected a number as JSON"),
        (set_in("note", to=[{"a": float("-inf")}]), "note[0].a", "is -inf"),
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


def test_a_country_requires_no_more_of_an_item_than_there_are() -> None:
    def change(document: dict[str, Any]) -> None:
        document["items"][0]["copies"] = 2
        document["counts"]["items"]["value"] = 30
        document["countries"][1]["requires"] = ["hiking_boots"] * count

    count = 2
    assert {problem.place for problem in check(changed(change))} == {"countries[1].requires"}
    count = 3
    (problem,) = check(changed(change))
    assert problem.place == "countries[1].requires[2]"
    assert "at most 2" in problem.what


def test_each_name_that_stands_twice_is_told_with_its_place() -> None:
    text = HOUSE_FILE.read_text()
    text = text.replace('"name": "Camera",', '"name": "Camera", "name": "Kamera",')
    text = text.replace('"kind": "pass_left"', '"kind": "pass_left", "kind": "pass_left"')
    found = check(text.encode())
    assert [problem.place for problem in found] == ["items[3].name", "events[2].effect.kind"]
    assert {problem.what for problem in found} == {"stands twice in one object; expected once"}


def test_a_byte_order_mark_is_told_as_what_it_is() -> None:
    (problem,) = check(b"\xef\xbb\xbf" + HOUSE_FILE.read_bytes())
    assert problem.place == "byte 0"
    assert "byte order mark" in problem.what


def test_large_files_are_judged_at_once() -> None:
    many = ",".join(f'"k{number}":1' for number in range(20_000))
    assert check(f'{{{many},"k1":2}}'.encode())[0].place == "k1"
    change = set_in("distances_km", "order", to=["brazil"] * 20_000)
    assert [problem.place for problem in check(changed(change))] == ["distances_km.order"]


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
