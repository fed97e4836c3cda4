"""A view of Itchy Feet as a bot thinks of it: its own seat, what it holds and lacks, and what others may hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb
from hamle_client import View

from clients.bots.itchyfeet.cards import is_contraband, is_passport, shuffled_in

PASSPORT: Final = "passport"
"""Stands for a passport that nobody has seen: all work alike."""


class Table:
    """What the seat sees. `needed`: items of its next travel; `later`: those of the centre, while it is not next."""

    def __init__(self, game: pb.View, seat: int) -> None:
        self.game = game
        self.seat = seat
        place = game.places[seat]
        self.order: tuple[str, ...] = tuple(place.hand)
        self.hand = Counter(self.order)
        self.needed = Counter(place.requires)
        self.later: Counter[str] = Counter(() if place.done else game.centre_requires)
        self.missing = self.needed - self.hand
        self.places: int = self.needed.total()
        self.gains: dict[tuple[tuple[str, ...], tuple[str, ...]], float] = {}
        self.value: float | None = None
        self.limit: int = place.hand_limit
        self.others = tuple(other for other, it in enumerate(game.places) if it.here and other != seat)

    def heading(self, requires: Sequence[str]) -> Table:
        """The table, were the seat's next travel to take these items."""
        other = Table(self.game, self.seat)
        other.needed = Counter(requires)
        other.missing = other.needed - other.hand
        other.places = other.needed.total()
        return other

    @property
    def lacks_passport(self) -> bool:
        """The seat holds no passport."""
        return not any(is_passport(card) for card in self.hand)

    def lacks(self, card: str) -> bool:
        """The card brings the next travel nearer."""
        return card in self.missing or (self.lacks_passport and is_passport(card))

    def ability(self, character: str) -> bool:
        """The seat is the character."""
        return self.game.places[self.seat].character == character

    @cached_property
    def spare(self) -> tuple[str, ...]:
        """Held cards that no travel of the seat takes, in the order of the hand; contraband is none of them."""
        kept = Counter(self.needed)
        passport = False
        found = []
        for card in self.order:
            if is_contraband(card):
                continue
            if is_passport(card) and not passport:
                passport = True
            elif kept[card]:
                kept[card] -= 1
            else:
                found.append(card)
        return tuple(found)

    @cached_property
    def known(self) -> Mapping[int, Counter[str]]:
        """What the seat knows of the others' hands."""
        found: dict[int, Counter[str]] = {other: Counter() for other in self.others}
        for known in self.game.known:
            if known.seat in found:
                found[known.seat] |= Counter(known.cards)
        return found

    @cached_property
    def unseen(self) -> Counter[str]:
        """The cards that may be anywhere: in other hands or in the draw pile."""
        options = self.game.options
        cards = shuffled_in(
            events=options.events,
            special_items=options.special_items,
            contraband=options.contraband,
            postcards=options.postcards,
        )
        passports = len(self.game.places)
        shown = [self.hand, Counter(self.game.discard), *self.known.values()]
        shown += [Counter(block.cards) for block in self.game.pile]
        for seen in shown:
            passports -= sum(count for card, count in seen.items() if is_passport(card))
            cards -= seen
        if passports > 0:
            cards[PASSPORT] = passports
        return cards

    def hidden(self, seat: int) -> int:
        """Cards of another hand that are not known."""
        return max(0, self.game.places[seat].hand_size - self.known[seat].total())

    def holds(self, seat: int, card: str) -> float:
        """The chance, 0 to 1, that another seat holds the card, all unseen cards taken for alike."""
        if self.known[seat][card]:
            return 1.0
        total = self.unseen.total()
        if not total:
            return 0.0
        return 1.0 - (1.0 - min(1.0, self.unseen[card] / total)) ** self.hidden(seat)

    def leads(self, seat: int) -> bool:
        """The seat heads for the centre."""
        return self.game.places[seat].done


def read(view: View) -> Table:
    """The table as the seat that is asked sees it: the one whose hand is shown; an empty hand is asked alone."""
    game = view.game
    assert isinstance(game, pb.View)
    seat = next((seat for seat, place in enumerate(game.places) if place.hand), game.awaited[0])
    return Table(game, seat)
