"""What is wrong with a deck file: problems, each with its place, and the checks that all its parts share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engines.itchyfeet.deck_format import ID, MOST_KINDS, SOURCES, DeckError
from engines.kit.game import Problem


class Problems:
    """Collects them."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, place: str, what: str) -> None:
        """Something is wrong."""
        self._found.append(Problem(place, what))

    def shown(self, place: str, value: Any, expected: str) -> None:
        """The value is not what was expected."""
        self.add(place, f"is {in_short(value)}; expected {expected}")

    def stop(self) -> None:
        """Raises `DeckError` when anything was wrong."""
        if self._found:
            raise DeckError(tuple(self._found))

    def object(self, value: Any, place: str) -> bool:
        """The value is an object."""
        if not isinstance(value, dict):
            self.add(place, f"is {in_short(value)}; expected an object")
        return isinstance(value, dict)

    def entries(self, value: Any) -> Iterator[Mapping[str, Any]]:
        """The objects of a list."""
        if isinstance(value, list):
            yield from (entry for entry in value if isinstance(entry, dict))

    def id(self, value: Any, place: str) -> bool:
        """The value is an id."""
        fits = isinstance(value, str) and ID.fullmatch(value) is not None and value != "none"
        if not fits:
            self.add(
                place,
                f"is {in_short(value)}; expected an id: a-z, then a-z, 0-9 and _, at most 32 characters, not none",
            )
        return fits

    def number(self, value: Any, place: str, least: int, most: int) -> bool:
        """The value is a whole number in a range."""
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        if not fits:
            self.shown(place, value, f"a whole number from {least} to {most}" if least < most else str(least))
        return fits

    def list(self, value: Any, place: str) -> bool:
        """The value is a list of objects, at most so many."""
        fits = isinstance(value, list) and len(value) <= MOST_KINDS
        if not fits:
            self.add(place, f"is {in_short(value)}; expected a list of at most {MOST_KINDS} objects")
        return fits

    def source(self, value: Any, place: str) -> None:
        """The value is a source mark."""
        if value not in SOURCES:
            self.shown(place, value, f"one of {', '.join(SOURCES)}")

    def fields(self, entry: Mapping[str, Any], place: str, known: Iterable[str]) -> None:
        """The object has no fields but those known: others are mostly spelling mistakes."""
        for name in sorted(entry.keys() - set(known)):
            here = f"{place}.{name}" if place else name
            self.add(here, f"is not known; expected one of {', '.join(sorted(known))}")


def in_short(value: Any) -> str:
    """The value as a message shows it."""
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
