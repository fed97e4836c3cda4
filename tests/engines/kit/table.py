"""A match on a table: commands are decided and folded, as the host does it, without a store."""

from __future__ import annotations

import random
from typing import Any

from hamle.engine.v1 import engine_pb2

from core.log.types import Record
from engines.kit.create import create
from engines.kit.decide import decide, pass_deadline, repeated
from engines.kit.draft import Draft
from engines.kit.history import History
from engines.kit.life import Status
from engines.kit.requests import asked
from engines.kit.state import AnyGame, MatchState

SECRET = bytes(range(32))
HANDLES = ("ann", "bob", "cem", "dee")


class Table:
    """A match that started at 1,000 ms, each event a second after the one before."""

    def __init__(
        self, game: AnyGame, seats: int = 0, *, sit: bool = True, secret: bytes = SECRET, **fields: Any
    ) -> None:
        self.game = game
        self.now_ms = 1_000
        seats = seats or game.info.min_seats
        request = engine_pb2.CreateMatchRequest(request_id="create", handle=HANDLES[0], seats=seats, **fields)
        if sit:
            for seat in range(1, seats):
                request.sitters.add(seat=seat, handle=HANDLES[seat])
        self.history = History({game.info.rules: game})
        self.records: list[Record] = []
        self.last: Draft
        self._take(create(game, request, secret, self.now_ms, 60_000))

    def _take(self, draft: Draft) -> None:
        self.last = draft
        for step in draft.steps:
            self.records.append(Record(step.folded.state.seq, step.raw, step.folded.hash))
        self.history.take(self.game, draft.steps)

    @property
    def state(self) -> MatchState:
        return self.history.state

    def bodies(self) -> list[str]:
        """The bodies of the last call's events."""
        return [str(step.event.WhichOneof("body")) for step in self.last.steps]

    def command(self, handle: str, request_id: str = "", expected: int | None = None, **command: Any) -> Draft:
        """Does a command of an actor, and gives what it led to."""
        self.now_ms += 1_000
        request = engine_pb2.ExecuteRequest(
            handle=handle, request_id=request_id or f"r{len(self.records)}-{handle}", **command
        )
        request.expected.seq = self.history.seq if expected is None else expected
        call = asked(request)
        if repeated(self.history.done, call) is None:
            self._take(decide(self.game, self.state, self.history.hash, request, call, self.now_ms))
        return self.last

    def move(self, seat: int, *moves: str, **more: Any) -> Draft:
        """Moves of the seat."""
        return self.command(self.state.life.seats[seat], submit=engine_pb2.Submit(moves=moves), **more)

    def pass_time(self, now_ms: int) -> Draft:
        """What follows from the time alone."""
        self.now_ms = now_ms
        self._take(pass_deadline(self.game, self.state, self.history.hash, now_ms))
        return self.last

    def play(self, seed: int, moves: int = 10_000) -> None:
        """Random legal moves until the match is over, or so many were made."""
        rng = random.Random(seed)
        for _ in range(moves):
            if self.state.life.status is not Status.ACTIVE:
                return
            seat = rng.choice(sorted(self.game.may_act(self.state.game)))
            self.move(seat, random_move(self.game, self.state.game, seat, rng))


def random_move(game: AnyGame, state: Any, seat: int, rng: random.Random) -> str:
    """A complete move, part by part."""
    prefix = ""
    while True:
        choice = rng.choice(game.choices(state, seat, prefix))
        prefix = choice.text
        if choice.complete:
            return str(prefix)
