"""Tash-Kalar, bundled as the kit takes a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from google.protobuf.message import Message

from engines.kit.game import Audience, Choice, Draw, Fact, Game, GameDefaults, GameInfo, Outcome
from engines.tashkalar import apply as _apply
from engines.tashkalar import choices as _choices
from engines.tashkalar import dump as _dump
from engines.tashkalar import imagine as _imagine
from engines.tashkalar import outcome as _outcome
from engines.tashkalar import setup as _setup
from engines.tashkalar import text as _text
from engines.tashkalar import view as _view
from engines.tashkalar.meta import INFO, rules_of, starter_of
from engines.tashkalar.state import NOBODY, Form, State

_NONE: Final[frozenset[int]] = frozenset()
_ONLY: Final = tuple(frozenset({seat}) for seat in range(4))


class TashKalar(GameDefaults[State]):
    """The rules `tashkalar/1`."""

    info: GameInfo = INFO

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> State:
        """The start of the game. Raises KeyError for a missing option."""
        return _setup.start(rules_of(options, seats), starter_of(options), draw)

    def awaited(self, state: State) -> frozenset[int]:
        """The seat that acts: who is on turn, its partner in control, or who sets the first pieces."""
        actor = state.actor()
        return _NONE if actor == NOBODY else _ONLY[actor]

    def may_act(self, state: State) -> frozenset[int]:
        """The seat that acts."""
        return self.awaited(state)

    def may_resign(self, state: State) -> bool:
        """Not in a melee (rules §12)."""
        return state.rules.form is not Form.MELEE

    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        """The legal continuations of a prefix."""
        return _choices.choices(state, seat, prefix)

    def apply(self, state: State, seat: int, move: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """The state after the move, and what it did."""
        return _apply.apply(state, seat, move, draw)

    def leave(self, state: State, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """With two sides the other wins; in a melee the others play on."""
        return _apply.leave(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return _outcome.outcome(state)

    def view(self, state: State, audience: Audience) -> Message:
        """A `hamle.tashkalar.v1.View`."""
        return _view.view(state, audience)

    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        """The move; of cards that go back face down others read only the backs."""
        return _view.redact(state, seat, move, audience)

    def imagine(self, view: Message, audience: Audience, draw: Draw) -> State:
        """A state that agrees with the view."""
        return _imagine.imagine(view, draw)

    def dump(self, state: State) -> bytes:
        """Canonical bytes."""
        return _dump.dump(state)

    def load(self, data: bytes) -> State:
        """The state that `dump` wrote."""
        return _dump.load(data)

    def barrier(self, before: State, after: State) -> bool:
        """Moves can be taken back until the turn ends or control is passed, and the first pieces not (rules §15)."""
        assert isinstance(before, State)
        assert isinstance(after, State)
        turns = [player.turns for player in before.players] != [player.turns for player in after.players]
        control = before.actor() != after.actor() or before.turn.passed != after.turn.passed
        return turns or control or before.setter != after.setter

    def text(self, view: Message, audience: Audience, language: str) -> str:
        """The arena, hands, tasks, points and what can be done, for a terminal."""
        return _text.text(view, audience, language)


GAME: Final[Game[State]] = TashKalar()
"""Tash-Kalar for the kit."""
