from __future__ import annotations

import pytest

from engines.kit.faces import Face, Shelved, alike, look_up

CARDS = [
    Shelved(Face("warm_coat", "Warm Coat", "house", "item"), ("items", "eşya")),
    Shelved(Face("rain_coat", "Rain-Coat", "house", "item"), ("items", "eşya")),
    Shelved(Face("items", "The Items", "house", "event"), ("events", "olay")),
    Shelved(Face("coat", "Coat", "house", "event"), ("events", "olay")),
]


@pytest.mark.parametrize(
    ("wanted", "keys"),
    [
        ("WARM coat", ["warm_coat"]),
        ("raincoat", ["rain_coat"]),
        ("coat", ["coat"]),
        ("items", ["items"]),
        ("eşya", ["warm_coat", "rain_coat"]),
        ("events", ["items", "coat"]),
        ("oat", ["warm_coat", "rain_coat", "coat"]),
        ("hat", []),
        ("", ["warm_coat", "rain_coat", "items", "coat"]),
    ],
)
def test_a_card_goes_before_a_shelf_and_a_shelf_before_parts_of_names(wanted: str, keys: list[str]) -> None:
    assert [face.key for face in look_up(CARDS, wanted)] == keys


def test_what_may_have_been_meant_are_names_alike_else_all_shelves() -> None:
    names = [card.face.name for card in CARDS]
    assert alike("worm-coat", names, ["items", "events"])[0] == "Warm Coat"
    assert alike("event", names, ["items", "events"]) == ["events"]
    assert alike("xyz", names, ["items", "events"]) == ["items", "events"]
