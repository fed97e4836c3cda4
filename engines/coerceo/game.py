"""Coerceo, bundled as the kit takes a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from google.protobuf.message import Message

from engines.coerceo import choices as _choices
from engines.coerceo import outcome as _outcome
from engines.coerceo import setup as _setup
from engines.coerceo import state as _state
from engines.coerceo import text as _text
from engines.coerceo import view as _view
from engines.coerceo.apply import leave, play
from engines.coerceo.meta import INFO
from engines.coerceo.state import State
from engines.kit.game import Audience, Choice, Draw, Fact, Game, GameDefaults, GameInfo, Outcome

_awaited = _outcome.awaited
_dump = _state.dump
_outcome_of = _outcome.outcome
_view_of = _view.view


class Coerceo(GameDefaults[State]):
    """The rules `coerceo/1`."""

    info: GameInfo = INFO

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> State:
        """The state at the start; there are two seats and no chance. Raises KeyError for a missing option."""
        return _setup.setup(options)

    def awaited(self, state: State) -> frozenset[int]:
        """The seat to move."""
        return _awaited(state)

    def may_act(self, state: State) -> frozenset[int]:
        """The seat to move."""
        return _awaited(state)

    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        """The legal continuations of a prefix."""
        return _choices.choices(state, seat, prefix)

    def apply(self, state: State, seat: int, move: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """The state after a move or an exchange, and what it did."""
        return play(state, seat, move)

    def leave(self, state: State, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """The other side has won; the match's own event tells why."""
        return leave(state, seat), ()

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return _outcome_of(state)

    def view(self, state: State, audience: Audience) -> Message:
        """A `hamle.coerceo.v1.View`, the same for everybody."""
        return _view_of(state)

    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        """The move as it is."""
        return _view.redact(state, seat, move, audience)

    def imagine(self, view: Message, audience: Audience, draw: Draw) -> State:
        """The very state that gave the view: nothing is hidden."""
        return _view.imagine(view)

    def dump(self, state: State) -> bytes:
        """Canonical bytes, laid out in `state.dump`."""
        return _dump(state)

    def load(self, data: bytes) -> State:
        """The state that `dump` wrote."""
        return _state.load(data)

    def text(self, view: Message, audience: Audience, language: str) -> str:
        """The board and the sides for a terminal."""
        return _text.text(view, language)


GAME: Final[Game[State]] = Coerceo()
