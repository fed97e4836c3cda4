"""Events in the making: each is folded as it is added, so a draft is always a legal continuation of its match."""

from __future__ import annotations

from typing import NamedTuple

from hamle.event.v1 import event_pb2

from core.log.types import Cursor
from engines.kit.fold import Folded, fold
from engines.kit.game import Outcome
from engines.kit.life import Status
from engines.kit.requests import Asked
from engines.kit.state import AnyGame, MatchState
from engines.kit.steps import ending


class Prepared(NamedTuple):
    """An event that was added: itself, its bytes, the state before it (None: it is the first) and what it led to."""

    event: event_pb2.Event
    raw: bytes
    before: MatchState | None
    folded: Folded


class Draft:
    """A continuation of a match from `state` and `hash`; `now_ms` is the time, `asked` the call that it answers."""

    def __init__(
        self, game: AnyGame, state: MatchState | None, hash: bytes, now_ms: int, asked: Asked | None = None
    ) -> None:
        self.game = game
        self.base = Cursor(0 if state is None else state.seq, hash)
        self.hash = hash
        self.now_ms = now_ms
        self.asked = asked
        self.steps: list[Prepared] = []
        self._state = state

    @property
    def state(self) -> MatchState:
        """The state after the last event; there must be one."""
        assert self._state is not None
        return self._state

    @property
    def cursor(self) -> Cursor:
        """The place of the last event."""
        return Cursor(self.base.seq + len(self.steps), self.hash)

    def add(self, event: event_pb2.Event) -> None:
        """Adds an event; its time and request are filled in. Raises `IllegalMove`, and then the draft is void."""
        before = self._state
        event.at_ms = self.now_ms if before is None else max(self.now_ms, before.at_ms)
        if self.asked is not None:
            request = event.request
            request.key, request.payload = self.asked
        raw = event.SerializeToString(deterministic=True)
        folded = fold(self.game, before, self.hash, event, raw)
        self.steps.append(Prepared(event, raw, before, folded))
        self._state = folded.state
        self.hash = folded.hash

    def settle(self) -> None:
        """Adds the finishing events when the game is over: the outcome and the secret go with the move that ends it."""
        state = self.state
        if state.life.status is not Status.ACTIVE:
            return
        outcome = ending(self.game, state)
        if outcome is None:
            return
        self.add(event_pb2.Event(finished=event_pb2.Finished(outcome=outcome_proto(outcome))))
        self.add(event_pb2.Event(secret_revealed=event_pb2.SecretRevealed(secret=state.life.secret)))


def outcome_proto(outcome: Outcome) -> event_pb2.Outcome:
    """The outcome as events and answers carry it."""
    return event_pb2.Outcome(
        placements=[
            event_pb2.Placement(seat=p.seat, place=p.place, score=p.score, team=p.team or 0) for p in outcome.placements
        ],
        reason=outcome.reason,
    )
