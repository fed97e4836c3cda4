"""A view of Itchy Feet as a bot thinks of it: its own seat, and what a card is worth to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb
from hamle_client import View


class Table(NamedTuple):
    """What the seat sees: its hand, the items that it still lacks, those that the travel after the next takes."""

    game: pb.View
    seat: int
    hand: Counter[str]
    missing: Counter[str]
    needed: Counter[str]

    def worth(self, card: str) -> float:
        """What one more copy of the card is worth in the hand; a held card is valued by `keep`."""
        if card in self.missing:
            return 4.0
        if card.startswith("passport"):
            return 0.5 if self._passports() else 5.0
        if card.startswith("postcard"):
            return 0.5 + sum(count for other, count in self.hand.items() if other.startswith("postcard"))
        return 1.0

    def keep(self, card: str) -> float:
        """What a held card is worth to the seat."""
        if self.hand[card] <= self.needed[card]:
            return 4.0
        if card.startswith("passport"):
            return 5.0 if self._passports() == 1 else 0.4
        if card.startswith("postcard"):
            held = sum(count for other, count in self.hand.items() if other.startswith("postcard"))
            return 0.2 + held
        return 1.5 if card in _STRONG else 1.0

    def _passports(self) -> int:
        return sum(count for card, count in self.hand.items() if card.startswith("passport"))

    def leader(self, seat: int) -> bool:
        """The seat heads for the centre."""
        return self.game.places[seat].done


_STRONG = frozenset({"moms_credit_card", "mousetrap", "lost_reservation"})
"""Cards that are kept for their time."""


def read(view: View) -> Table:
    """The table as the seat that is asked sees it: the one whose hand is shown; an empty hand is asked alone."""
    game = view.game
    assert isinstance(game, pb.View)
    seat = next((seat for seat, place in enumerate(game.places) if place.hand), game.awaited[0])
    hand = Counter(game.places[seat].hand)
    needed = Counter(game.places[seat].requires)
    return Table(game, seat, hand, needed - hand, needed)


def last_card(text: str) -> str:
    """The card that a part of a move has named last."""
    for mark in ":+>":
        text = text.rstrip(mark).rpartition(mark)[2] if mark in text else text
    return text


def best(texts: Iterable[str], table: Table) -> str:
    """The text whose last card is worth most to have; the first of equal ones."""
    return max(texts, key=lambda text: table.worth(last_card(text)))
