"""A game in progress: immutable, hidden cards included."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from engines.battleline.cards import ALL_TROOPS, TROOPS, troop_bits

FLAGS: Final = 9
HAND: Final = 7
SLOTS: Final = 3
MUD_SLOTS: Final = 4
NOBODY: Final = -1

TROOP_DECK: Final = 0
TACTICS_DECK: Final = 1

Cards = tuple[int, ...]
Pair = tuple[int, int]


class First(IntEnum):
    """Who starts the first game of a match (rules §2)."""

    RANDOM = 1
    HIGH_CUT_STARTS = 2
    HIGH_CUT_DEALS = 3
    SEAT_0 = 4
    SEAT_1 = 5


class Step(IntEnum):
    """What the seat that acts has to do."""

    PLAY = 1
    CLOSE = 2
    SCOUT = 3
    RETURN = 4
    TRIM = 5
    OVER = 6


class Rules(NamedTuple):
    """The options of a match."""

    tactics: bool = True
    last_chance: bool = False
    open_fronts: bool = False
    first: First = First.RANDOM
    automatic_trim: bool = False
    series: int = 1


class Front(NamedTuple):
    """A flag: the cards of both sides in the order they entered, whose card entered when, and who has claimed it."""

    sides: tuple[Cards, Cards] = ((), ())
    order: tuple[int, ...] = ()
    owner: int = NOBODY

    def put(self, seat: int, card: int) -> Front:
        """The card has entered a slot of the seat: it is the newest here."""
        return Front(with_seat(self.sides, seat, (*self.sides[seat], card)), (*self.order, seat), self.owner)

    def take(self, seat: int, card: int) -> Front:
        """The card has left the seat's side; the others keep their order."""
        side = self.sides[seat]
        index = side.index(card)
        at = [place for place, whose in enumerate(self.order) if whose == seat][index]
        order = self.order[:at] + self.order[at + 1 :]
        return Front(with_seat(self.sides, seat, side[:index] + side[index + 1 :]), order, self.owner)


class Place(NamedTuple):
    """Where an environment card lies, and on whose side."""

    flag: int
    seat: int


class Memory(NamedTuple):
    """What is left of a played Scout: cards that its player put back and can still tell.

    `tops` counts such cards on top of the troop and the tactics deck. `held` are those that the opponent has drawn and
    holds. `fewest` and `most` bound their number by deck, as far as the backs tell everybody.
    """

    seat: int
    tops: Pair
    held: Cards = ()
    fewest: Pair = (0, 0)
    most: Pair = (0, 0)


class Result(NamedTuple):
    """How one game of a match ended; the winner is NOBODY in a draw."""

    reason: str
    winner: int
    flags: Pair
    points: Pair


class State(NamedTuple):
    """A position. Hands are sorted; decks (troops, tactics) have their top card last.

    `unseen` are the troops that lie nowhere open, as bits. `left` counts cards that Scout still draws or returns,
    `drawn` what it has drawn. `trim` is the flag where a side must give up its fourth card.
    """

    rules: Rules
    hands: tuple[Cards, Cards]
    decks: tuple[Cards, Cards]
    fronts: tuple[Front, ...] = (Front(),) * FLAGS
    fog: Place | None = None
    mud: Place | None = None
    discards: tuple[Cards, Cards] = ((), ())
    played: Pair = (0, 0)
    led: tuple[bool, bool] = (False, False)
    unseen: int = ALL_TROOPS
    turn: int = 0
    step: Step = Step.PLAY
    left: int = 0
    drawn: int = 0
    trim: int = NOBODY
    passes: int = 0
    memory: Memory | None = None
    cut: Cards = ()
    starter: int = 0
    results: tuple[Result, ...] = ()

    def size(self, flag: int) -> int:
        """How many cards a formation has at the flag."""
        return MUD_SLOTS if self.mud is not None and self.mud.flag == flag else SLOTS

    def foggy(self, flag: int) -> bool:
        """True when Fog lies at the flag."""
        return self.fog is not None and self.fog.flag == flag

    def actor(self) -> int:
        """The seat that must act; NOBODY when the game is over."""
        if self.step is Step.OVER:
            return NOBODY
        if self.step is Step.TRIM and len(self.fronts[self.trim].sides[self.turn]) != MUD_SLOTS:
            return 1 - self.turn
        return self.turn

    def flags_of(self, seat: int) -> int:
        """How many flags the seat owns."""
        return sum(front.owner == seat for front in self.fronts)

    def with_front(self, flag: int, front: Front) -> tuple[Front, ...]:
        """All flags, with another at this place."""
        return (*self.fronts[:flag], front, *self.fronts[flag + 1 :])


T = TypeVar("T")


def with_seat(pair: tuple[T, T], seat: int, item: T) -> tuple[T, T]:
    """The pair with another item for the seat."""
    return (pair[0], item) if seat else (item, pair[1])


def deck_of(card: int) -> int:
    """The deck that the card's back belongs to."""
    return TROOP_DECK if card < TROOPS else TACTICS_DECK


def troops_in(hand: Cards) -> int:
    """How many cards of a hand are troops: everybody sees the backs."""
    return sum(card < TROOPS for card in hand)


def unseen_troops(fronts: tuple[Front, ...], discards: tuple[Cards, Cards]) -> int:
    """The troops that lie nowhere open, as bits (rules §6)."""
    piles = [side for front in fronts for side in front.sides]
    return ALL_TROOPS & ~sum(troop_bits(pile) for pile in (*piles, *discards))
