"""The Cellar as the kit knows games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from engines.kit.game import Audience, Choice, Draw, Fact, Game, GameDefaults, Outcome
from tests.engines.kit.cardgame import apply as rules
from tests.engines.kit.cardgame import choices as legal
from tests.engines.kit.cardgame import outcome as ending
from tests.engines.kit.cardgame import state as states
from tests.engines.kit.cardgame import text as terminal
from tests.engines.kit.cardgame import view as views
from tests.engines.kit.cardgame.cards import DECK, HAND, SLOTS
from tests.engines.kit.cardgame.meta import INFO
from tests.engines.kit.cardgame.state import STAKE, Place, State


class Cellar(GameDefaults[State]):
    """A small game with hidden hands, made to test the kit; `__init__` has its rules."""

    info = INFO

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> State:
        deck = [str(card) for card in draw.shuffle(DECK, "deck")]
        places = tuple(
            Place(hand=tuple(deck[seat * HAND : (seat + 1) * HAND]), cellar=(None,) * SLOTS) for seat in range(seats)
        )
        return State(
            rounds=int(options["rounds"]),
            reaction_ms=int(options["reaction_ms"]),
            phase=STAKE,
            places=places,
            pile=tuple(sorted(deck[seats * HAND :])),
            discards=(),
            turn=0,
            actions=0,
            round=1,
            call=None,
            left=(),
        )

    def awaited(self, state: State) -> frozenset[int]:
        return legal.awaited(state)

    def may_act(self, state: State) -> frozenset[int]:
        return legal.may_act(state)

    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        return legal.choices(state, seat, prefix)

    def apply(self, state: State, seat: int, move: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
        return rules.apply(state, seat, move, draw)

    def leave(self, state: State, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
        return rules.leave(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        return ending.outcome(state)

    def view(self, state: State, audience: Audience) -> Message:
        message: Message = views.view(state, audience)
        return message

    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        return views.redact(seat, move, audience)

    def imagine(self, view: Message, audience: Audience, draw: Draw) -> State:
        return views.imagine(view, draw)

    def dump(self, state: State) -> bytes:
        return states.dump(state)

    def load(self, data: bytes) -> State:
        return states.load(data)

    def barrier(self, before: Any, after: Any) -> bool:
        """Only laying cards can be taken back: everything else tells somebody something, or ends the turn."""
        return not (
            before.turn == after.turn
            and before.phase == after.phase
            and after.call == before.call
            and after.discards == before.discards
            and after.pile == before.pile
            and _knowers(after) == _knowers(before)
            and after.phase != STAKE
        )

    def undisturbed(self, before: Any, after: Any) -> frozenset[int]:
        """Stakes are laid at the same time, independently."""
        if before.phase == after.phase == STAKE:
            return legal.awaited(before) & legal.awaited(after)
        return frozenset()

    def limit_ms(self, state: Any) -> int | None:
        return state.reaction_ms if state.call is not None and state.reaction_ms else None

    def time_out(self, state: Any, draw: Draw) -> tuple[State, Sequence[Fact]]:
        if state.call is None:
            raise AssertionError("time_out without a call")
        return rules.show_nothing(state, state.call)

    def text(self, view: Message, audience: Audience, language: str) -> str:
        return terminal.text(view, language)


def _knowers(state: State) -> int:
    """How often a seat knows another's card."""
    return sum(len(slot.knowers) - 1 for place in state.places for slot in place.cellar if slot)


GAME: Game[State] = Cellar()
