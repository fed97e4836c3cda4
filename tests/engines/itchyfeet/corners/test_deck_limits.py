"""How small and how large a deck file can be: each limit holds to the card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engines.itchyfeet.deck import check
from tests.engines.itchyfeet.corners.test_own_decks import GROUPS, deck, entry

Change = Callable[[dict[str, Any]], None]


def _copies(group: str, name: str, copies: int) -> Change:
    def change(document: dict[str, Any]) -> None:
        entry(document, group, name)["copies"] = copies

    return change


def _only(group: str, size: int) -> Change:
    def change(document: dict[str, Any]) -> None:
        document[group] = document[group][:size]

    return change


def _sale_of_two(copies: int) -> Change:
    def change(document: dict[str, Any]) -> None:
        sale = entry(document, "events", "duty_free_sale")
        sale["copies"] = copies
        sale["effect"]["draw"] = 2

    return change


def _items(total: int) -> Change:
    def change(document: dict[str, Any]) -> None:
        for at, item in enumerate(document["items"]):
            item["copies"] = total // 8 + (at < total % 8)

    return change


def _filled(total: int) -> Change:
    def change(document: dict[str, Any]) -> None:
        have = sum(card.get("copies", 1) for name in GROUPS[:6] for card in document[name])
        for first in range(have, total, 12):
            copies = min(12, total - first)
            document["items"].append({"id": f"more_{first}", "name": "More", "copies": copies, "source": "printed"})

    return change


@pytest.mark.parametrize(
    ("most", "one_too_far", "place"),
    [
        (_copies("postcards", "postcard_1", 2), _copies("postcards", "postcard_1", 3), "postcards"),
        (_only("passports", 6), _only("passports", 5), "passports"),
        (_only("characters", 6), _only("characters", 5), "characters"),
        (_items(24), _items(23), "items"),
        (_sale_of_two(3), _sale_of_two(4), "events"),
        (_filled(250), _filled(251), "the file"),
    ],
    ids=["R46", "passports", "characters", "items", "R14", "cards"],
)
def test_limits_of_a_deck_file_hold_to_the_card(most: Change, one_too_far: Change, place: str) -> None:
    assert check(deck(most)) == ()
    assert [problem.place for problem in check(deck(one_too_far))] == [place]
