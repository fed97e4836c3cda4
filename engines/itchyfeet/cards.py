"""What a deck is, once its file has been read: cards, countries and characters as numbers."""

from __future__ import annotations

import hashlib
from enum import IntEnum
from functools import cached_property
from typing import Final, NamedTuple

Cards = tuple[int, ...]
"""Card kinds by number; copies of a card are alike and have one number."""


class Group(IntEnum):
    """What a card is; the order is that of the numbers in a deck."""

    ITEM = 0
    PASSPORT = 1
    SPECIAL = 2
    CONTRABAND = 3
    POSTCARD = 4
    EVENT = 5


class Effect(NamedTuple):
    """An effect of the closed list in `effects.py`; `when` is its timing, empty for events and characters."""

    kind: str
    when: str = ""
    params: tuple[tuple[str, int], ...] = ()

    def number(self, name: str) -> int:
        """A parameter. Raises KeyError."""
        return dict(self.params)[name]


class Card(NamedTuple):
    """A kind of card; `source` and `effect_source` say where it comes from: official, seed or house."""

    id: str
    name: str
    group: Group
    copies: int
    effect: Effect | None
    source: str
    effect_source: str


class Country(NamedTuple):
    """A country and the items that travelling there takes."""

    id: str
    name: str
    requires: Cards
    source: str


class Character(NamedTuple):
    """A character and its ability."""

    id: str
    name: str
    effect: Effect
    source: str
    effect_source: str


class Constants(NamedTuple):
    """The numbers of the rules."""

    items_per_country: int
    starting_items: int
    hand_limit: int
    draw: int
    recycle_cost: int
    steal_cost: int
    trade_bonus: int
    travel_draw: int
    empty_hand_draw: int
    postcards_to_win: int
    contraband_disposal_extra_discard: int
    round_cap: int
    trade_offers_per_turn: int


class Deck:
    """All that a match is played with. Decks are equal when the bytes of their files are: `digest` is their SHA-256."""

    def __init__(
        self,
        data: bytes,
        name: str,
        constants: Constants,
        cards: tuple[Card, ...],
        countries: tuple[Country, ...],
        distances: tuple[tuple[int, ...], ...],
        characters: tuple[Character, ...],
    ) -> None:
        self.data: Final = data
        self.digest: Final = hashlib.sha256(data).digest()
        self.name: Final = name
        self.constants: Final = constants
        self.cards: Final = cards
        self.countries: Final = countries
        self.distances: Final = distances
        self.characters: Final = characters
        self.card_ids: Final = tuple(card.id for card in cards)
        self.numbers: Final = {card.id: number for number, card in enumerate(cards)}
        self.country_numbers: Final = {country.id: number for number, country in enumerate(countries)}
        self.character_numbers: Final = {character.id: number for number, character in enumerate(characters)}
        self.effects: Final = tuple(card.effect.kind if card.effect else "" for card in cards)
        self.timings: Final = tuple(card.effect.when if card.effect else "" for card in cards)
        self.targets: Final = tuple((f"card:{card.id}",) for card in cards)
        limits = [dict(character.effect.params).get("hand_limit") for character in characters]
        self.least_limit: Final = min([constants.hand_limit, *(limit for limit in limits if limit is not None)])
        self.abilities: Final = tuple(character.effect.kind for character in characters)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Deck) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Deck({self.key})"

    @property
    def key(self) -> str:
        """The value of the option `deck`: the name and the digest, so that a match pins what it is played with."""
        return f"{self.name}-{self.digest.hex()}"

    def of(self, group: Group) -> Cards:
        """The kinds of a group."""
        return tuple(number for number, card in enumerate(self.cards) if card.group is group)

    @cached_property
    def passports(self) -> frozenset[int]:
        """Kinds that are passports."""
        return frozenset(self.of(Group.PASSPORT))

    @cached_property
    def contraband(self) -> frozenset[int]:
        """Kinds that are contraband."""
        return frozenset(self.of(Group.CONTRABAND))

    @cached_property
    def postcards(self) -> frozenset[int]:
        """Kinds that are postcards."""
        return frozenset(self.of(Group.POSTCARD))

    @cached_property
    def events(self) -> frozenset[int]:
        """Kinds that are events."""
        return frozenset(self.of(Group.EVENT))

    @cached_property
    def timed(self) -> frozenset[int]:
        """Kinds whose effect has a timing: special items."""
        return frozenset(number for number, when in enumerate(self.timings) if when)

    def with_effect(self, kind: str) -> Cards:
        """Kinds that have the effect."""
        return self._by_effect.get(kind, ())

    @cached_property
    def _by_effect(self) -> dict[str, Cards]:
        found: dict[str, Cards] = {}
        for number, kind in enumerate(self.effects):
            found[kind] = (*found.get(kind, ()), number)
        return found

    def ids(self, cards: Cards) -> tuple[str, ...]:
        """The ids of cards."""
        return tuple(self.card_ids[card] for card in cards)
