"""Cards of a game as somebody may look them up: what is shown of one, and how it is found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NamedTuple


class Face(NamedTuple):
    """A card to look at. `diagram` are rows of cells of three characters; `says` are pairs of a heading and a text."""

    key: str
    name: str
    deck: str
    kind: str
    diagram: tuple[tuple[str, ...], ...] = ()
    legend: tuple[str, ...] = ()
    says: tuple[tuple[str, str], ...] = ()


class Shelved(NamedTuple):
    """A card under the names of the groups that it belongs to."""

    face: Face
    shelves: tuple[str, ...]


def look_up(cards: Iterable[Shelved], wanted: str) -> list[Face]:
    """The card of that key or name, else all on that shelf, else those whose names hold the text.

    Capitals, blanks, hyphens and underscores do not matter; an empty text finds all.
    """
    cards, words = list(cards), _plain(wanted)
    for fits in (
        [face for face, _ in cards if words in (_plain(face.key), _plain(face.name))],
        [face for face, shelves in cards if words in map(_plain, shelves)],
    ):
        if fits:
            return fits
    return [face for face, _ in cards if words in _plain(face.name)]


def alike(wanted: str, names: Iterable[str], shelves: Sequence[str]) -> list[str]:
    """Up to three of the names and shelves that may have been meant, and the shelves when there are none."""
    by_plain = {_plain(name): name for name in (*names, *shelves)}
    return [by_plain[name] for name in get_close_matches(_plain(wanted), by_plain)] or list(shelves)


def _plain(text: str) -> str:
    return "".join(text.casefold().replace("-", " ").replace("_", " ").split())
