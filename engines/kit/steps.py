"""What all steps of the fold share: their errors, their form, and how a match ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from hamle.event.v1 import event_pb2

from engines.kit.game import Fact, Outcome, Placement
from engines.kit.life import Life, Status
from engines.kit.state import AnyGame, MatchState

Event: TypeAlias = event_pb2.Event
Stepped: TypeAlias = tuple[MatchState, Sequence[Fact]]
"""The match after an event, and what the event did."""


class FoldError(Exception):
    """The event cannot follow the state: the log does not hold what these rules would write.

    `seq` is the event's; `what` says what was wrong, `expected` what the rules would have.
    """

    def __init__(self, seq: int, what: str, expected: str = "") -> None:
        super().__init__(f"event {seq}: {what}" + (f", expected {expected}" if expected else ""))
        self.seq = seq
        self.what = what
        self.expected = expected


def living(state: MatchState, event: Event, life: Life) -> MatchState:
    """The match with another life."""
    return state._replace(seq=state.seq + 1, at_ms=event.at_ms, life=life)


def require(state: MatchState, status: Status) -> None:
    """Raises `FoldError` unless the match has that status."""
    if state.life.status is not status:
        raise FoldError(state.seq + 1, f"the match is {state.life.status.name}", status.name)


def ending(game: AnyGame, state: MatchState) -> Outcome | None:
    """How the match ends in this state; None while it goes on.

    Every seat is its own team unless the game says otherwise. A fallen clock is a reason of the match's own.
    """
    outcome: Outcome | None = game.outcome(state.game)
    if outcome is None:
        return None
    placements = tuple(p if p.team is not None else p._replace(team=p.seat) for p in outcome.placements)
    return Outcome(placements, state.life.reason or outcome.reason)


def outcome_of(message: event_pb2.Outcome) -> Outcome:
    """The outcome that an event holds."""
    return Outcome(
        tuple(Placement(p.seat, p.place, p.score if p.HasField("score") else None, p.team) for p in message.placements),
        message.reason,
    )
