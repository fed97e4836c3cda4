"""A game in progress: immutable, hidden cards included."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

from engines.tashkalar.pieces import COUNTERS, NOTHING, Board

BEINGS_IN_HAND: Final = 3
LEGENDS_IN_HAND: Final = 2
FLARES_IN_HAND: Final = 1
ACTIONS: Final = 2
NOBODY: Final = -1

Cards = tuple[int, ...]


class Form(IntEnum):
    """The forms of the game (rules §3, §13, §15)."""

    HIGH = 1
    DUEL = 2
    MELEE = 3
    TEAM_HIGH = 4
    TEAM_DUEL = 5
    FIRST = 6


class Rules(NamedTuple):
    """The options of a match. `decks` are schools by seat; `counters` two-sided ones that a colour has for play."""

    form: Form = Form.HIGH
    decks: tuple[str, ...] = ("imperial", "imperial")
    counters: int = COUNTERS

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.decks)

    @property
    def has_tasks(self) -> bool:
        """Points come from tasks and legendary pieces, not from what is destroyed."""
        return self.form in (Form.HIGH, Form.TEAM_HIGH, Form.FIRST)

    @property
    def is_team(self) -> bool:
        """Two partners share a colour."""
        return self.form in (Form.TEAM_HIGH, Form.TEAM_DUEL)

    @property
    def colours(self) -> int:
        """How many colours are on the board."""
        return 2 if self.is_team else len(self.decks)

    @property
    def has_legends(self) -> bool:
        """Legends are in the game."""
        return self.form is not Form.FIRST

    def colour(self, seat: int) -> int:
        """The colour of the seat's pieces: partners sit opposite each other."""
        return seat & 1 if self.is_team else seat


class Player(NamedTuple):
    """What a seat has. Hands are sorted; deck and discard pile have their top card last.

    `frozen` is the card of the frozen effect before the seat, `pending` its pending being, `stored` the piece that
    lies on that one (rules §16). `turns` counts the turns it has begun. `shown` are the cards of its hand and deck of
    which everybody knows where they are, `under` those that it has put back into its deck itself, `sunk_legends` and
    `sunk_flares` those that it has put under the shared decks and that lie there still.
    """

    deck: Cards
    beings: Cards = ()
    legends: Cards = ()
    flares: Cards = ()
    discards: Cards = ()
    frozen: int = NOTHING
    pending: int = NOTHING
    stored: int = NOTHING
    turns: int = 0
    shown: Cards = ()
    under: Cards = ()
    sunk_legends: Cards = ()
    sunk_flares: Cards = ()


class Bonus(NamedTuple):
    """What the next summon of this turn may do: how many enemy pieces, how many empty squares may stand in for own
    pieces, and the colour whose pieces must be used in place of the own ones."""

    enemies: int = 0
    empties: int = 0
    colour: int = NOTHING


class Summoned(NamedTuple):
    """A summon of this turn: where, and the rank it counts as for points and tasks."""

    square: int
    rank: int


class Turn(NamedTuple):
    """The record of the turn that is under way.

    `destroyed` counts by piece what the seat on turn has destroyed of others, counted `1 + double` times each.
    `extra` are beings, legends and flares drawn beyond the standard at its end. `warped` are the cards whose warp
    effects were used, `again` the full turns that follow it. `emptied`: in an earlier turn of such a chain the last
    card was drawn. `passed`: the partner has control (rules §13).
    """

    seat: int
    actions: int
    destroyed: tuple[int, ...]
    summoned: tuple[Summoned, ...] = ()
    discarded: bool = False
    extra: tuple[int, int, int] = (0, 0, 0)
    bonus: Bonus = Bonus()
    warped: Cards = ()
    double: int = 0
    again: int = 0
    emptied: bool = False
    passed: bool = False


class State(NamedTuple):
    """A position.

    `board` is laid out by piece. `lost` counts, by colour, two-sided counters and then legendary ones that have left
    the game for good. `scores` are by colour: points of claimed tasks, or of the duel, or in a melee one for each
    colour. `fewer` are actions that each colour's next turn lacks. `gateway` is a square. `last` is the seat that has
    the last turn once the end was triggered. `setter` is the seat that sets the first pieces, while they are not set.
    `buried` counts the cards at the bottom of the task deck that everybody has seen. `improvised` are, by colour, sets
    of the enemy colours used so. `begun` is a move under way whose control was passed. `left` is a set of seats.
    `cause` is what triggered the end, `over` how the game has ended; both are reasons of `outcome.py`.
    """

    rules: Rules
    board: Board
    players: tuple[Player, ...]
    turn: Turn
    lost: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]
    fewer: tuple[int, ...]
    legends: Cards = ()
    legend_discards: Cards = ()
    flares: Cards = ()
    flare_discards: Cards = ()
    tasks: Cards = ()
    next_task: int = NOTHING
    task_deck: Cards = ()
    claimed: tuple[Cards, ...] = ()
    gateway: int = NOTHING
    last: int = NOBODY
    over: str = ""
    left: int = 0
    setter: int = NOBODY
    buried: int = 0
    improvised: tuple[int, ...] = (0,) * 4
    begun: str = ""
    cause: str = ""

    def colour(self, seat: int) -> int:
        """The colour of the seat's pieces."""
        return self.rules.colour(seat)

    def actor(self) -> int:
        """The seat that must act; NOBODY when the game is over."""
        if self.over:
            return NOBODY
        if self.setter != NOBODY:
            return self.setter
        turn = self.turn
        return turn.seat ^ 2 if turn.passed and (turn.actions or self.begun) else turn.seat


T = TypeVar("T")


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """The items with another one at this place."""
    return (*items[:at], item, *items[at + 1 :])


def without(cards: Cards, card: int) -> Cards:
    """The cards less one. Raises ValueError when it is not there."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
