"""Battle Line, bundled as the kit takes a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from google.protobuf.message import Message

from engines.battleline import apply as _apply
from engines.battleline import choices as _choices
from engines.battleline import dump as _dump
from engines.battleline import imagine as _imagine
from engines.battleline import outcome as _outcome
from engines.battleline import text as _text
from engines.battleline import view as _view
from engines.battleline.meta import INFO, rules_of
from engines.battleline.setup import first_game
from engines.battleline.state import NOBODY, State
from engines.kit.game import Audience, Choice, Draw, Fact, Game, GameDefaults, GameInfo, Outcome

_NONE: Final[frozenset[int]] = frozenset()
_ONLY: Final = (frozenset({0}), frozenset({1}))


class BattleLine(GameDefaults[State]):
    """The rules `battleline/1`."""

    info: GameInfo = INFO

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> State:
        """The first game, dealt. Raises KeyError for a missing option."""
        return first_game(rules_of(options), draw)

    def awaited(self, state: State) -> frozenset[int]:
        """The seat that acts: whose turn it is, or who gives up a fourth card."""
        actor = state.actor()
        return _NONE if actor == NOBODY else _ONLY[actor]

    def may_act(self, state: State) -> frozenset[int]:
        """The seat that acts."""
        return self.awaited(state)

    def choices(self, state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
        """The legal continuations of a prefix."""
        return _choices.choices(state, seat, prefix)

    def apply(self, state: State, seat: int, move: str, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """The state after the move, and what it did."""
        return _apply.apply(state, seat, move, draw)

    def leave(self, state: State, seat: int, draw: Draw) -> tuple[State, Sequence[Fact]]:
        """The other seat wins the match."""
        return _apply.leave(state, seat)

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended; None while it goes on."""
        return _outcome.outcome(state)

    def view(self, state: State, audience: Audience) -> Message:
        """A `hamle.battleline.v1.View`."""
        return _view.view(state, audience)

    def redact(self, state: State, seat: int, move: str, audience: Audience) -> str:
        """The move; of cards that Scout puts back others read only the backs."""
        return _view.redact(seat, move, audience)

    def imagine(self, view: Message, audience: Audience, draw: Draw) -> State:
        """A state that agrees with the view."""
        return _imagine.imagine(view, audience, draw)

    def dump(self, state: State) -> bytes:
        """Canonical bytes."""
        return _dump.dump(state)

    def load(self, data: bytes) -> State:
        """The state that `dump` wrote."""
        return _dump.load(data)

    def barrier(self, before: State, after: State) -> bool:
        """Only claims and passes within one turn can be taken back: all else shows a card to somebody."""
        assert isinstance(before, State)
        assert isinstance(after, State)
        return (
            before.actor() != after.actor()
            or before.hands != after.hands
            or before.decks != after.decks
            or len(before.results) != len(after.results)
            or before.discards != after.discards
        )

    def text(self, view: Message, audience: Audience, language: str) -> str:
        """The nine flags, hands, decks and what can be done, for a terminal."""
        return _text.text(view, audience, language)


GAME: Final[Game[State]] = BattleLine()
"""Battle Line for the kit."""
