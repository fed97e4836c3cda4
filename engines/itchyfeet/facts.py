"""What moves tell, and whom. Cards, countries and characters are told by the names that the deck gives them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from engines.itchyfeet.cards import Deck
from engines.itchyfeet.state import MAX_SEATS, NOBODY
from engines.kit.game import Fact
from engines.kit.tuples import new


def fact(kind: str, *, to: Iterable[int] | None = None, **parameters: object) -> Fact:
    """A fact for some audiences, or for all."""
    audiences = None if to is None else frozenset(to)
    return new(Fact, (kind, tuple(zip(parameters, map(str, parameters.values()), strict=True)), audiences))


def names(deck: Deck, cards: Sequence[int]) -> str:
    """Cards by name, in their order."""
    return ", ".join([deck.cards[card].name for card in cards])


def ended(winner: int, reason: str) -> tuple[Fact, ...]:
    """The game is over."""
    if winner == NOBODY:
        return (fact("ended_round_cap"),)
    return (fact(f"won_{reason}", seat=winner),)


def reshuffled(count: int) -> Fact:
    """The discard pile became the draw pile."""
    return fact("reshuffled", count=count)


def drew(deck: Deck, seat: int, card: int, others: int, seats: int) -> tuple[Fact, ...]:
    """A card came into the hand; `others` knew which it was, as bits. What the public knows is told to all."""
    audiences: frozenset[int] | None = _ALONE[seat]
    if others:
        public = others >> seats & 1
        audiences = None if public else frozenset([seat, *(who for who in range(seats) if others >> who & 1)])
    parameters = (("seat", _SEATS[seat]), ("card", deck.cards[card].name))
    return (_DREW[seat], new(Fact, ("drew_card", parameters, audiences)))


def turn(seat: int, number: int) -> Fact:
    """The seat is on turn, in this round."""
    return Fact("turn", (("seat", _SEATS[seat]), ("round", str(number))))


_SEATS: Final = tuple(map(str, range(MAX_SEATS)))
_ALONE: Final = tuple(frozenset({seat}) for seat in range(MAX_SEATS))
_DREW: Final = tuple(Fact("drew", (("seat", seat),)) for seat in _SEATS)


def taken(deck: Deck, seat: int, other: int, card: int) -> tuple[Fact, ...]:
    """A card went from hand to hand unseen by others."""
    return (
        fact("took", seat=seat, other=other),
        fact("took_card", to={seat, other}, seat=seat, other=other, card=deck.cards[card].name),
    )
