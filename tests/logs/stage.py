"""Matches played by a script: fixed secret, fixed times, fixed moves, so the same events with every run."""

from __future__ import annotations

from typing import Any

from hamle.engine.v1 import engine_pb2

from core.log.keys import match_id_for
from engines.kit.create import fork, require_forkable
from engines.kit.decide import accept_tail_loss
from engines.kit.history import History
from engines.kit.state import AnyGame
from tests.engines.kit.table import Table

FORK_SECRET = bytes(range(32, 64))


class Stage(Table):
    """A table with the commands that a script needs."""

    def sit(self, handle: str, seat: int | None = None, entropy: bytes = b"") -> None:
        """The handle takes a seat."""
        self.command(handle, take_seat=engine_pb2.TakeSeat(seat=seat, entropy=entropy))

    def leave(self, handle: str) -> None:
        """The handle gives its seat back."""
        self.command(handle, leave_seat=engine_pb2.LeaveSeat())

    def start(self, handle: str) -> None:
        """The creator starts the match."""
        self.command(handle, start=engine_pb2.Start())

    def turns(self, *moves: str) -> None:
        """Each move is made, in a call of its own, by the one seat that must act."""
        for move in moves:
            (seat,) = self.game.awaited(self.state.game)
            self.move(seat, move)

    def undo(self, seat: int, to_seq: int = 0) -> None:
        """The seat takes moves back."""
        self.command(self.state.life.seats[seat], undo=engine_pb2.Undo(to_seq=to_seq))

    def resign(self, seat: int) -> None:
        """The seat resigns."""
        self.command(self.state.life.seats[seat], resign=engine_pb2.Resign())

    def wait(self, ms: int) -> None:
        """So much time passes, and what follows from it happens."""
        self.pass_time(self.now_ms + ms)

    def lose(self, events: int) -> None:
        """The store forgets the last events, and an operator accepts it."""
        last_known = self.history.seq
        del self.records[-events:]
        self._read()
        self.now_ms += 1_000
        self._take(accept_tail_loss(self.game, self.state, self.history.hash, last_known, self.now_ms))

    def fork(self, seq: int, handle: str, *, seat: int = 0, known_to: int | None = None) -> Stage:
        """A new match from this one's events up to `seq`."""
        child = Stage.__new__(Stage)
        child.game, child.now_ms = self.game, self.now_ms + 1_000
        child.records = self.records[:seq]
        child._read()
        require_forkable(self.game, self.state, child.state)
        request = engine_pb2.ForkMatchRequest(
            request_id="fork", parent=match_id(self.game.info.game, "parent"), seq=seq, handle=handle, seat=seat
        )
        child._take(fork(self.game, request, child.state, child.history.hash, known_to, FORK_SECRET, child.now_ms))
        return child

    def _read(self) -> None:
        self.history = History({self.game.info.rules: self.game})
        for record in self.records:
            self.history.add(record)


def match_id(game: str, name: str) -> str:
    """The id that a recorded match bears."""
    return match_id_for("recorded logs", game, name)


def stage(game: AnyGame, seats: int = 0, **fields: Any) -> Stage:
    """A match in which only the creator, ann, sits."""
    return Stage(game, seats, sit=False, **fields)
