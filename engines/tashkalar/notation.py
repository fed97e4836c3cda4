"""Moves as text: what is done, then the answers to what it asks, parted by `;`.

`P:e5` places a common; `P:d4>e5` lifts the piece on d4 first, for want of counters. `S:herald@e5r2` summons a being on
e5 with image 2 of its pattern; behind it `+f6` names an enemy piece that stands in for an own one, `~f6` an empty
square, `*f6` an enemy piece of an improvised summon; before these `=c3` is the first square of a pattern that may lie
anywhere, where it matters which is meant. `D:herald` discards a being. `F:flare-3` invokes a flare.
`T:herald` thaws the frozen effect, `W:herald` warps. `end` ends the turn; `set` sets the first pieces of a deathmatch.
In teams `pass` gives control to the partner, also as an answer, and `go` goes on with a move that was passed. Answers
are squares, `e5`, steps, `e5e6`, words and keys of cards, or `-` for declining.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from engines.tashkalar.board import NAMED, NAMES
from engines.tashkalar.cards import BEING, BEINGS, FLARES, TASK
from engines.tashkalar.hand import FLARE
from engines.tashkalar.scene import Option

SEPARATOR: Final = ";"
DECLINE: Final = "-"
PASSING: Final = "pass"
"""The answer by which control goes to the partner."""
LONGEST: Final = 512
_WORDS: Final = ("end", "set", "pass", "go")


class Kind(StrEnum):
    """What a move does."""

    PLACE = "P"
    SUMMON = "S"
    DISCARD = "D"
    FLARE = "F"
    THAW = "T"
    WARP = "W"
    END = "end"
    SET = "set"
    PASS = "pass"  # noqa: S105
    GO = "go"


class Head(NamedTuple):
    """What a move does, before its answers: the card by number, and the rest of the text behind `@` or `:`."""

    kind: Kind
    card: int = -1
    where: str = ""


@lru_cache(maxsize=1 << 14)
def read_head(text: str) -> Head | None:
    """What the first part of a move says; None when it says nothing. Whether it is legal is not asked."""
    if text in _WORDS:
        return Head(Kind(text))
    letter, colon, rest = text.partition(":")
    if not colon or letter not in "PSDFTW" or len(letter) != 1:
        return None
    kind = Kind(letter)
    if kind is Kind.PLACE:
        return Head(kind, where=rest)
    key, at, where = rest.partition("@")
    if bool(at) != (kind is Kind.SUMMON):
        return None
    card = (FLARE if kind is Kind.FLARE else BEING).get(key)
    return None if card is None else Head(kind, card, where)


def key_of(kind: Kind, card: int) -> str:
    """The key of the card that a move of this kind names."""
    return FLARES[card].key if kind is Kind.FLARE else BEINGS[card].key


def named(text: str) -> frozenset[str]:
    """Keys of the cards that a move names, its answers included."""
    parts = text.replace(":", SEPARATOR).replace("@", SEPARATOR).split(SEPARATOR)
    return frozenset(part for part in parts if part in BEING or part in FLARE)


def write(option: Option | None) -> str:
    """An answer as text."""
    if option is None:
        return DECLINE
    if isinstance(option, int):
        return NAMES[option]
    if isinstance(option, tuple):
        return NAMES[option[0]] + NAMES[option[1]]
    return option


@lru_cache(maxsize=1 << 14)
def read(text: str) -> Option | None:
    """The answer that a text says; whether it is a possible one is not asked."""
    if text == DECLINE:
        return None
    if text in NAMED:
        return NAMED[text]
    if len(text) == 4 and text[:2] in NAMED and text[2:] in NAMED:
        return NAMED[text[:2]], NAMED[text[2:]]
    return text


def targets(option: Option | None) -> tuple[str, ...]:
    """What an answer touches."""
    if isinstance(option, int):
        return (f"square:{NAMES[option]}",)
    if isinstance(option, tuple):
        return f"square:{NAMES[option[0]]}", f"square:{NAMES[option[1]]}"
    if option in BEING or option in FLARE:
        return (f"card:{option}",)
    return (f"task:{option}",) if option in TASK else ()
