"""Events in the making: each is folded as it is added, so a draft is always a legal continuation of its match."""

from __future__ import annotations

from hamle.event.v1 import event_pb2

from core.log.types import Cursor
from engines.kit.fold import FoldedEvent, fold
from engines.kit.game import Outcome
from engines.kit.life import Status
from engines.kit.requests import Asked
from engines.kit.state import AnyGame, MatchState
from engines.kit.steps import ending
from engines.kit.tuples import new


class Draft:
    """A continuation of a match from `state` and `hash`; `now_ms` is the time, `asked` the call that it answers.

    `latest` is the state after the last event; None: there is none yet.
    """

    __slots__ = ("asked", "base", "game", "hash", "latest", "now_ms", "steps")

    def __init__(
        self, game: AnyGame, state: MatchState | None, hash: bytes, now_ms: int, asked: Asked | None = None
    ) -> None:
        self.game = game
        self.base = Cursor(0 if state is None else state.seq, hash)
        self.hash = hash
        self.now_ms = now_ms
        self.asked = asked
        self.steps: list[FoldedEvent] = []
        self.latest = state

    @property
    def state(self) -> MatchState:
        """The state after the last event; there must be one."""
        assert self.latest is not None
        return self.latest

    @property
    def cursor(self) -> Cursor:
        """The place of the last event."""
        return Cursor(self.base.seq + len(self.steps), self.hash)

    def add(self, event: event_pb2.Event) -> None:
        """Adds an event; its time and request are filled in. Raises `IllegalMove`, and then the draft is void."""
        before = self.latest
        event.at_ms = self.now_ms if before is None else max(self.now_ms, before.at_ms)
        if self.asked is not None:
            request = event.request
            request.key, request.payload = self.asked
        raw = event.SerializeToString(deterministic=True)
        folded = fold(self.game, before, self.hash, event, raw)
        self.steps.append(new(FoldedEvent, (event, raw, before, folded)))
        self.latest = folded.state
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
