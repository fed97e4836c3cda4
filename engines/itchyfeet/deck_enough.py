"""Whether a deck file has cards enough, and not too many, for every match that may be played with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engines.itchyfeet.deck_format import MOST_CARDS, MOST_COPIES, MOST_DRAWS, SEATS
from engines.itchyfeet.deck_problems import Problems


def check_enough(problems: Problems, document: Mapping[str, Any]) -> None:
    """Six seats can be dealt to, limits can always be kept (rulings R20, R46), and cards are not too many."""

    def total(name: str) -> int:
        found = [entry.get("copies", 1) for entry in problems.entries(document.get(name))]
        return sum(number for number in found if isinstance(number, int))

    for name, least in (("passports", SEATS), ("characters", SEATS), ("countries", SEATS + 1)):
        if total(name) < least:
            problems.add(name, f"has {total(name)} cards; expected at least {least}, for six seats")
    start = constant(document, "starting_items") or 0
    characters = list(problems.entries(document.get("characters")))
    most = max([start, *_numbers(characters, "start_items")])
    if total("items") < SEATS * most:
        problems.add("items", f"has {total('items')} cards; expected at least {SEATS * most}, for six hands")
    limit = constant(document, "hand_limit")
    if limit is not None:
        _limits(
            problems, document, limit, start, total("contraband"), min([limit, *_numbers(characters, "hand_limit")])
        )
    _chain(problems, document)
    cards = sum(map(total, ("items", "passports", "special_items", "contraband", "postcards", "events")))
    if cards > MOST_CARDS:
        problems.add("the file", f"has {cards} cards; expected at most {MOST_CARDS}")
    to_win = constant(document, "postcards_to_win")
    if to_win is not None and total("postcards") >= 2 * to_win:
        problems.add("postcards", f"has {total('postcards')} cards; expected fewer than {2 * to_win}: one winner (R46)")


def _limits(
    problems: Problems, document: Mapping[str, Any], limit: int, start: int, contraband: int, least: int
) -> None:
    """The deal and a travel fit into a hand, and every hand can come down to the `least` limit."""
    if contraband >= least:
        problems.add("contraband", f"has {contraband} cards; expected fewer than the hand limit {least} (R20)")
    for name, items in (("starting_items", start), ("items_per_country", constant(document, "items_per_country"))):
        if items is not None and items >= limit:
            what = f"is {items}; expected fewer than the hand limit {limit}: a passport is held with them"
            problems.add(f"constants.{name}.value", what)


def _chain(problems: Problems, document: Mapping[str, Any]) -> None:
    """Events that make all draw can turn up one another, the more the longer: a move must come to its end (R14)."""
    draws = 1
    for entry in problems.entries(document.get("events")):
        copies = entry.get("copies", 1)
        for number in _numbers([entry], "draw"):
            if isinstance(copies, int) and 1 <= copies <= MOST_COPIES and 1 <= number <= MOST_DRAWS:
                draws *= (SEATS * number) ** copies
    if draws > MOST_DRAWS:
        what = f"can turn up one another: more than {MOST_DRAWS} draws in one move"
        problems.add("events", f"{what}; expected fewer copies with all_draw, or a smaller draw")


def constant(document: Mapping[str, Any], name: str) -> int | None:
    """The constant of that name, where it is a whole number."""
    constants = document.get("constants")
    entry = constants.get(name) if isinstance(constants, dict) else None
    value = entry.get("value") if isinstance(entry, dict) else None
    return value if isinstance(value, int) else None


def _numbers(entries: Iterable[Mapping[str, Any]], name: str) -> list[int]:
    """The values that the entries' effects give the parameter, where they are numbers."""
    effects_of = [entry.get("effect") for entry in entries]
    found = [effect.get(name) for effect in effects_of if isinstance(effect, dict)]
    return [value for value in found if isinstance(value, int)]
