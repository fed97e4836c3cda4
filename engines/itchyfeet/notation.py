"""Moves as text and back.

`draw`, `pass`, `recycle:wanted:paid+paid`, `offer:1:given+given>asked`, `accept`, `decline`, `counter:given>asked`,
`steal:1:paid`, `travel`, `travel:stand_in`, `dispose:contraband:other`, `gift:1:contraband`, `play:card`,
`play:card:1` (a seat), `play:card:put+put`, `block:card`, `pick:card`, `take:card`, `take:none`, `discard:card+card`.
Cards stand in the order of the deck, except those that go under the draw pile together.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.state import MAX_SEATS, NOBODY, NONE

HIDDEN: Final = "*"
"""Stands for a card that the reader may not know."""

_WORDS: Final = frozenset({"draw", "pass", "accept", "decline", "travel"})
_ONE: Final = frozenset({"travel", "play", "block", "pick", "take"})
_SEATS: Final = frozenset(map(str, range(MAX_SEATS)))


class Move(NamedTuple):
    """A move: its verb, the seat it names, the card it is about, and cards that are paid, given or asked for."""

    verb: str
    seat: int = NOBODY
    card: int = NONE
    cards: Cards = ()
    more: Cards = ()


@lru_cache(maxsize=1 << 12)
def read(deck: Deck, text: str) -> Move | None:
    """The move that the text names; None when it names none in this deck."""
    verb, colon, rest = text.partition(":")
    if not colon:
        return Move(verb) if verb in _WORDS else None
    if text == "take:none":
        return Move("take")
    try:
        return _read(deck, verb, rest)
    except KeyError:
        return None


def _read(deck: Deck, verb: str, rest: str) -> Move | None:
    """The move; None or KeyError when there is none."""
    first, colon, second = rest.partition(":")
    if not colon:
        if verb in _ONE:
            return Move(verb, card=deck.numbers[first])
        if verb == "discard":
            return Move(verb, cards=_cards(deck, rest))
        give, asks, ask = rest.partition(">")
        return Move(verb, cards=_cards(deck, give), more=_cards(deck, ask)) if verb == "counter" and asks else None
    if first in _SEATS:
        if verb in ("steal", "gift"):
            return Move(verb, int(first), cards=(deck.numbers[second],))
        give, asks, ask = second.partition(">")
        if verb == "offer" and asks:
            return Move(verb, int(first), cards=_cards(deck, give), more=_cards(deck, ask))
        return None
    if verb == "play" and second in _SEATS:
        return Move(verb, int(second), deck.numbers[first])
    if verb in ("recycle", "dispose", "play"):
        return Move(verb, card=deck.numbers[first], cards=_cards(deck, second))
    return None


def _cards(deck: Deck, text: str) -> Cards:
    return tuple([deck.numbers[card] for card in text.split("+")])
