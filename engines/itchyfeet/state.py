"""A game in progress: immutable, hidden cards included."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from engines.itchyfeet.cards import Cards, Deck

NOBODY: Final = -1
NONE: Final = -1
MAX_SEATS: Final = 6


class Rules(NamedTuple):
    """The options of a match; `reaction_ms` 0: reactions wait as long as they take."""

    events: bool = False
    special_items: bool = False
    contraband: bool = False
    postcards: bool = False
    characters: bool = False
    reaction_ms: int = 0


class Kind(IntEnum):
    """What is to be done. Those up to `LIMITS` may wait for seats, the others are carried out at once."""

    ACTION = 0
    """The active seat takes its action."""
    OFFER = 1
    """`seat` answers the offer of `other`, who gives `cards` and asks for `more`."""
    WINDOW = 2
    """Seats answer whether they block what `seat` does; `other` is who would be robbed, NOBODY for a travel."""
    TOUR = 3
    """All pick the card that goes to the left; `seat` drew the event."""
    GUIDE = 4
    """`seat` takes one of the looked at `cards` off the pile, or none."""
    TAKE = 5
    """`seat` takes one of the `cards` that it sees in the hand of `other`."""
    TROT = 6
    """`seat` discards one card of the two that it has drawn."""
    DRAW = 7
    """`seat` draws `amount` cards; waits for its word where a hidden choice has just been made, so that what chance
    does with hands is an event of its own. `other` is the seat, too, where cards that reach the hand are counted."""
    LIMITS = 8
    """Whoever is above the hand limit discards."""
    EVENT = 9
    """The event `card`, drawn by `seat`, happens."""
    SPENT = 10
    """The card in use goes to the discard pile."""
    STEAL = 11
    """`seat` steals from `other`."""
    LOOK = 12
    """`seat` looks at the hand of `other`."""
    TRAVEL = 13
    """`seat` travels; `card` stands in for an item, or NONE."""
    DONE = 14
    """The action is over."""
    END = 15
    """The turn is over."""


TOGETHER: Final = frozenset({Kind.WINDOW, Kind.TOUR})
"""What several seats are asked for at once; `answers` holds what they say."""


class Task(NamedTuple):
    """A thing to be done; the last of the agenda comes first."""

    kind: Kind
    seat: int = NOBODY
    other: int = NOBODY
    amount: int = 0
    card: int = NONE
    cards: Cards = ()
    more: Cards = ()


def _each(kind: Kind) -> tuple[Task, ...]:
    return tuple(Task(kind, seat) for seat in range(MAX_SEATS))


ACTION_OF, DONE_OF, END_OF = _each(Kind.ACTION), _each(Kind.DONE), _each(Kind.END)
"""The tasks of these kinds by seat."""
LIMITS: Final = Task(Kind.LIMITS)


class Block(NamedTuple):
    """Cards of the draw pile whose order nothing has fixed yet: each is equally likely to come next.

    `cards` is sorted; `knowers` are the audiences that know which cards these are, as bits: seats, then the public.
    """

    cards: Cards
    knowers: int = 0


class Place(NamedTuple):
    """What lies in front of a seat: its country (NONE once travelled to, or gone), its character, and who left."""

    country: int
    done: bool = False
    character: int = NONE
    here: bool = True


def clockwise(places: tuple[Place, ...], first: int) -> list[int]:
    """The seats that have not left, from one on."""
    count = len(places)
    return [seat for seat in (*range(first % count, count), *range(first % count)) if places[seat].here]


UNANSWERED: Final = -2
"""In `answers`: the seat is asked and has not answered yet."""
NOT_ASKED: Final = -3
"""In `answers`: the seat is not asked."""
PASSED: Final = -1
"""In `answers`: the seat lets it happen. Other values are the card that it plays or picks."""


class State(NamedTuple):
    """A position.

    `hands` are sorted. `known[seat][audience]` are the cards that the audience (the last one is the public) knows to
    be in the seat's hand. `pile` has its top block first. `discard` has its newest card last. `aside` are countries
    in an order that nothing has fixed yet, `queue` those put under them, the next one first. `answers` holds an answer
    a seat while a window or a Group Tour waits. `reached` counts cards of a draw that reached the hand.
    """

    deck: Deck
    rules: Rules
    places: tuple[Place, ...]
    hands: tuple[Cards, ...]
    known: tuple[tuple[Cards, ...], ...]
    pile: tuple[Block, ...]
    discard: Cards
    centre: int
    aside: Cards
    queue: Cards
    starter: int
    active: int
    round: int = 1
    acted: int = 0
    allowed: int = 1
    travelled: bool = False
    offers: int = 0
    reached: int = 0
    agenda: tuple[Task, ...] = ()
    answers: tuple[int, ...] = ()
    winner: int = NOBODY
    reason: str = ""
    left: tuple[int, ...] = ()

    def top(self) -> Task | None:
        """What is waited for; None when the game is over."""
        return None if self.reason else self.agenda[-1]

    def ability(self, seat: int) -> str:
        """The kind of the seat's character's effect; empty without one."""
        character = self.places[seat].character
        return self.deck.abilities[character] if character != NONE else ""

    def ability_number(self, seat: int, name: str) -> int:
        """A parameter of the seat's character's effect."""
        return self.deck.characters[self.places[seat].character].effect.number(name)

    def target(self, seat: int) -> int:
        """The country that the seat may travel to: its own, then the centre (R9)."""
        place = self.places[seat]
        return self.centre if place.done else place.country

    def staying(self) -> list[int]:
        """The seats that have not left."""
        return [seat for seat, place in enumerate(self.places) if place.here]

    def clockwise(self, first: int) -> list[int]:
        """The seats that have not left, from one on."""
        return clockwise(self.places, first)
