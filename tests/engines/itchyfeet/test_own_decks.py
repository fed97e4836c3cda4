"""Any deck that the check takes can be played with: effects, copies and numbers of every size, seats that leave."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from core.fairness.draw import SeededDraw
from engines.itchyfeet import effects
from engines.itchyfeet.deck import HOUSE_FILE, check
from engines.itchyfeet.deck_format import MOST_CARDS, RANGES
from engines.itchyfeet.game import GAME
from engines.kit.conformance import random_move
from engines.kit.options import full_options
from tests.engines.itchyfeet.table import EXTENSIONS

GROUPS = ("items", "passports", "events", "special_items", "contraband", "postcards", "characters")
EFFECTS = {"special_items": effects.SPECIAL_ITEMS, "events": effects.EVENTS, "characters": effects.CHARACTERS}


def any_deck(rng: random.Random) -> bytes:
    """A deck file in which half of everything is changed within the format's ranges."""
    deck: dict[str, Any] = json.loads(HOUSE_FILE.read_bytes()) | {"name": "any"}
    for name, (least, most) in RANGES.items():
        if rng.random() < 0.5:
            deck["constants"][name]["value"] = rng.randint(least, most)
    needed = deck["constants"]["items_per_country"]["value"]
    items = [item["id"] for item in deck["items"]]
    for country in deck["countries"]:
        country["requires"] = [rng.choice(items) for _ in range(needed)]
    for group, specs in EFFECTS.items():
        for entry in deck[group]:
            if rng.random() < 0.5:
                entry["effect"] = any_effect(rng, rng.choice(list(specs)), specs)
    for group in ("items", "special_items", "events", "contraband", "postcards"):
        most = 2 if group in ("contraband", "postcards") else 5
        for entry in deck[group]:
            if rng.random() < 0.4:
                entry["copies"] = rng.randint(1, most)
    for group in GROUPS:
        deck["counts"][group]["value"] = sum(entry.get("copies", 1) for entry in deck[group])
    return json.dumps(deck).encode()


def any_effect(rng: random.Random, kind: str, specs: Any) -> dict[str, Any]:
    spec = specs[kind]
    when = {"when": rng.choice(spec.timings)} if spec.timings else {}
    return {"kind": kind, **when, **{name: rng.randint(least, most) for name, least, most in spec.params}}


def play(data: bytes, rng: random.Random, moves: int) -> None:
    game: Any = GAME.with_material("deck", data)
    deck = game.info.options[-1].values[-1]
    options = {"deck": deck, **{name: rng.choice(("on", "on", "off")) for name in EXTENSIONS}}
    secret = rng.randbytes(32)
    state = game.setup(full_options(game.info, options), rng.randint(2, 6), SeededDraw(secret, 1))
    for seq in range(2, moves + 2):
        if game.outcome(state) is not None:
            return
        seat = rng.choice(sorted(game.awaited(state)))
        draw = SeededDraw(secret, seq)
        if rng.random() < 0.01 and len(state.staying()) > 2:
            state, _ = game.leave(state, seat, draw)
        else:
            state, _ = game.apply(state, seat, random_move(game, state, seat, rng), draw)
        if seq % 8 == 0:
            assert game.load(game.dump(state)) == state
            view = game.view(state, seat)
            assert game.view(game.imagine(view, seat, SeededDraw(secret, seq)), seat) == view


@pytest.mark.parametrize("seed", range(8))
def test_any_deck_that_is_sound_is_played_to_any_position(seed: int) -> None:
    rng = random.Random(seed)
    decks = [data for data in (any_deck(rng) for _ in range(40)) if not check(data)]
    assert decks
    for data in decks[:5]:
        play(data, rng, 80)


def test_two_kinds_that_swap_are_told_apart_and_need_enough_cards() -> None:
    deck = json.loads(HOUSE_FILE.read_bytes()) | {"name": "swaps"}
    two, one = (entry for entry in deck["special_items"] if entry["id"] in ("trading_post", "local_guide"))
    for entry, least in ((one, 1), (two, 2)):
        entry["effect"] = {"kind": effects.POST, "when": effects.ACTION, "min": least, "max": 2}
    game: Any = GAME.with_material("deck", json.dumps(deck).encode())
    options = full_options(game.info, {"deck": game.info.options[-1].values[-1], "special_items": "on"})
    state = game.setup(options, 2, SeededDraw(bytes(32), 1))
    seat, numbers = state.active, state.deck.numbers
    one_card, two_cards, fireworks = (numbers[name] for name in (one["id"], two["id"], "fireworks"))

    def swaps(*hand: int) -> dict[str, set[str]]:
        hands = tuple(tuple(sorted(hand)) if each == seat else held for each, held in enumerate(state.hands))
        held = state._replace(hands=hands)
        firsts = [choice.text for choice in game.choices(held, seat) if choice.text.startswith("play:")]
        return {first: {choice.text for choice in game.choices(held, seat, first)} for first in firsts}

    ones, twos = f"play:{one['id']}:", f"play:{two['id']}:"
    assert swaps(one_card, fireworks) == swaps(one_card) == swaps(two_cards, numbers["camera"]) == {}
    assert swaps(one_card, two_cards) == {ones: {f"{ones}{two['id']}"}}
    found = swaps(one_card, two_cards, numbers["camera"])
    assert found[twos] == {f"{twos}camera+", f"{twos}{one['id']}+"}
    assert found[ones] == {f"{ones}{name}{end}" for name in ("camera", two["id"]) for end in ("", "+")}


def test_more_cards_than_a_state_can_name_are_refused() -> None:
    deck = json.loads(HOUSE_FILE.read_bytes())
    deck["items"] += [{"id": f"x{n}", "name": f"X{n}", "copies": 12, "source": "house"} for n in range(20)]
    deck["counts"]["items"]["value"] += 240
    (problem,) = check(json.dumps(deck).encode())
    assert (problem.place, f"expected at most {MOST_CARDS}" in problem.what) == ("the file", True)
