"""The fold: the state after an event follows from the state before it, the event and nothing else.

Live play, replay, time travel, fork and verify are all this one function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from core.fairness.chain import chain
from core.log.types import Cursor
from engines.kit import steps_of_life as life
from engines.kit import steps_of_play as play
from engines.kit.game import EVERYBODY, PUBLIC, Fact
from engines.kit.life import Status
from engines.kit.state import AnyGame, MatchState, hashed
from engines.kit.steps import Event, FoldError, Stepped
from engines.kit.tuples import new


class Folded(NamedTuple):
    """A match after an event: its state, the state hash, and what the event did."""

    state: MatchState
    hash: bytes
    facts: Sequence[Fact]


class FoldedEvent(NamedTuple):
    """An event with its bytes, the state before it (None: it is the first) and what it led to."""

    event: Event
    raw: bytes
    before: MatchState | None
    folded: Folded

    @property
    def cursor(self) -> Cursor:
        """Its place."""
        return Cursor(self.folded.state.seq, self.folded.hash)


def fold(game: AnyGame, state: MatchState | None, previous: bytes, event: Event, raw: bytes) -> Folded:
    """The match after `event`, whose bytes are `raw`; `state` and the hash `previous` are None and empty at first.

    Raises `FoldError` when the event cannot stand here, `IllegalMove` when the rules forbid the move in it.
    """
    body = event.WhichOneof("body")
    if state is None:
        if body != "created":
            raise FoldError(1, f"the first event is {body}", "created")
        after: MatchState
        after, facts = life.created(game, event)
    else:
        if event.at_ms < state.at_ms:
            raise FoldError(state.seq + 1, f"time runs backwards to {event.at_ms}", f"at least {state.at_ms}")
        step = _STEPS.get(body)  # type: ignore[arg-type]
        if step is None:
            raise FoldError(state.seq + 1, f"the event is {body}", f"one of {', '.join(_STEPS)}")
        after, facts = step(game, state, event)
    return new(Folded, (after, chain(after.key, previous, raw, hashed(game, after)), facts))


_STEPS: Final[Mapping[str, Callable[[AnyGame, MatchState, Event], Stepped]]] = {
    "moved": play.moved,
    "undone": play.undone,
    "resigned": play.resigned,
    "clock_expired": play.clock_expired,
    "deadline_passed": play.deadline_passed,
    "seat_taken": life.seat_taken,
    "seat_left": life.seat_left,
    "started": life.started,
    "finished": life.finished,
    "secret_revealed": life.secret_revealed,
    "cancelled": life.cancelled,
    "tail_lost": life.tail_lost,
    "forked": life.forked,
}


def audience_of(state: MatchState, handle: str) -> int:
    """What the handle may see: everything once the match is over, else what its seat or the public may."""
    if state.life.status is Status.FINISHED:
        return EVERYBODY
    seat = state.life.seat_of(handle)
    return PUBLIC if seat is None else seat
