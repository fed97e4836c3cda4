"""Moves as text and back.

`draw`, `pass`, `recycle:wanted:paid+paid`, `offer:1:given+given>asked`, `accept`, `decline`, `counter:given>asked`,
`steal:1:paid`, `travel`, `travel:stand_in`, `dispose:contraband:other`, `gift:1:contraband`, `play:card`,
`play:card:1` (a seat), `play:card:put+put`, `block:card`, `pick:card`, `take:card`, `take:none`, `discard:card+card`.
Cards stand in the order of the deck, except those that go under the draw pile together.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.state import NOBODY, NONE

HIDDEN: Final = "*"
"""Stands for a card that the reader may not know."""

_CARD = r"[a-z][a-z0-9_]*"
_CARDS = rf"{_CARD}(?:\+{_CARD})*"
_FORM: Final = re.compile(
    rf"(?P<word>draw|pass|accept|decline|travel)"
    rf"|(?P<one>travel|play|block|pick|take):(?P<card>{_CARD})"
    rf"|(?P<list>discard):(?P<cards>{_CARDS})"
    rf"|(?P<two>recycle|dispose|play):(?P<first>{_CARD}):(?P<rest>{_CARDS})"
    rf"|(?P<to>steal|gift):(?P<seat>[0-5]):(?P<paid>{_CARD})"
    rf"|play:(?P<played>{_CARD}):(?P<at>[0-5])"
    rf"|(?:(?P<offer>offer):(?P<partner>[0-5])|(?P<counter>counter)):(?P<give>{_CARDS})>(?P<ask>{_CARDS})"
)


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
    found = _FORM.fullmatch(text)
    if found is None or not text.isascii():
        return None
    part = found.groupdict()
    try:
        if part["word"]:
            return Move(part["word"])
        if part["one"]:
            if part["one"] == "take" and part["card"] == "none":
                return Move("take")
            return Move(part["one"], card=deck.numbers[part["card"]])
        if part["list"]:
            return Move("discard", cards=_cards(deck, part["cards"]))
        if part["two"]:
            return Move(part["two"], card=deck.numbers[part["first"]], cards=_cards(deck, part["rest"]))
        if part["to"]:
            return Move(part["to"], int(part["seat"]), cards=_cards(deck, part["paid"]))
        if part["played"]:
            return Move("play", int(part["at"]), deck.numbers[part["played"]])
        seat = int(part["partner"]) if part["offer"] else NOBODY
        verb = part["offer"] or part["counter"]
        return Move(verb, seat, cards=_cards(deck, part["give"]), more=_cards(deck, part["ask"]))
    except KeyError:
        return None


def _cards(deck: Deck, text: str) -> Cards:
    return tuple(deck.numbers[card] for card in text.split("+"))


def joined(deck: Deck, cards: Cards) -> str:
    """Cards as they stand in a move."""
    return "+".join(deck.cards[card].id for card in cards)
