"""Lists of choices that are made when they are looked at."""

from __future__ import annotations

import pytest

from engines.kit.game import Choice
from engines.tashkalar.listing import Listing, texts


def listing() -> tuple[Listing, list[int]]:
    """Three choices, and which of them were made."""
    made: list[int] = []

    def make(at: int) -> Choice:
        made.append(at)
        return Choice("abc"[at], (), at == 1)

    return Listing("abc", make), made


def test_a_choice_is_made_once_when_it_is_looked_at() -> None:
    found, made = listing()
    assert len(found) == 3
    assert texts(found) == "abc"
    assert not made
    assert found[1] == found[1] == found[-2] == Choice("b")
    assert made == [1]
    assert list(found) == [Choice("a", (), False), Choice("b"), Choice("c", (), False)]
    assert sorted(made) == [0, 1, 2]


def test_a_listing_is_sliced_and_bounded_as_a_list_is() -> None:
    found, made = listing()
    assert found[1:] == [Choice("b"), Choice("c", (), False)]
    assert made == [1, 2]
    with pytest.raises(IndexError):
        found[3]
    with pytest.raises(IndexError):
        found[-4]


def test_texts_of_any_choices() -> None:
    assert texts([Choice("x"), Choice("y", (), False)]) == ["x", "y"]
