"""Matches of Itchy Feet between bots over the bare rules: no server, no log, the same for the same seed everywhere.

The bots are those that play over the network. They see their views and choices and nothing beside them.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Mapping, Sequence
from typing import Final, NamedTuple

from bench.seat import choices_of, view_of
from clients.bots.runner import Bot
from engines.itchyfeet.game import ItchyFeet
from engines.itchyfeet.state import NONE, State
from engines.kit.conformance.match import play_match
from engines.kit.state import AnyGame

EXTENSIONS: Final = ("events", "special_items", "contraband", "postcards", "characters")
MODES: Final[Mapping[str, Mapping[str, str]]] = {"base": {}, "all extensions": dict.fromkeys(EXTENSIONS, "on")}
"""Options of a match, by the name of the row in the table of rules 6.5."""


class Played(NamedTuple):
    """How a match went. `winner` is a seat, or -1 when the last round went by.

    `rounds` counts the turns begun, each as one part in so many as there are seats. `countries` and `characters` are
    those dealt, in seat order; `characters` is empty without them. `bots` are who played, in seat order.
    """

    winner: int
    reason: str
    rounds: float
    starter: int
    countries: tuple[str, ...]
    characters: tuple[str, ...]
    bots: tuple[str, ...] = ()


class _OnTurn(ItchyFeet):
    """The rules for bots that never act unasked: a card for any time is played in the own turn only."""

    def may_act(self, state: State) -> frozenset[int]:
        return self.awaited(state)


GAME: Final = _OnTurn()


def match(bots: Sequence[Bot], seed: int, options: Mapping[str, str]) -> Played:
    """Plays a match, a bot a seat, with the kit's playthrough. Raises `NotConforming` when it does not end."""

    def pick(game: AnyGame, state: State, seat: int, rng: random.Random) -> str:
        return _at_once(bots[seat](view_of(game, state, seat), choices_of(game, state, seat)))

    first: State | None = None
    for step in play_match(GAME, options, len(bots), seed, pick):
        first = first or step.after
        last: State = step.after
    assert first is not None
    return _told(first, last)


def _at_once(deciding: Awaitable[str]) -> str:
    """The move of a bot whose choices are at hand, so that it never waits."""
    try:
        next(iter(deciding.__await__()))
    except StopIteration as decided:
        return str(decided.value)
    raise AssertionError("a bot waits for something that is not its choices")


def _told(first: State, last: State) -> Played:
    seats = len(first.places)
    deck = first.deck
    turns = (last.round - 1) * seats + (last.active - last.starter) % seats + 1
    return Played(
        winner=last.winner,
        reason=last.reason,
        rounds=turns / seats,
        starter=first.starter,
        countries=tuple(deck.countries[place.country].id for place in first.places),
        characters=tuple(deck.characters[p.character].id for p in first.places if p.character != NONE),
    )
