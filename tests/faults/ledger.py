"""What the clients of one match have been told, kept apart from all servers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import NamedTuple

from hamle.event.v1 import event_pb2

from tests.faults.records import Game


class Place(NamedTuple):
    """An event as somebody was told it: where, the state hash after it, what it is, and a move's text."""

    seq: int
    hash: bytes
    kind: str
    move: str = ""


class Accepted(NamedTuple):
    """A call that was answered: the ply it made (resigning counts as one), and the answer's cursor.

    `basis` is the seq of the event that it was decided on.
    """

    ply: int
    handle: str
    request_id: str
    seq: int
    hash: bytes
    at: float
    basis: int = 0


def place_of(event: event_pb2.Event, seq: int, state_hash: bytes) -> Place:
    """The event without what only the log holds."""
    return Place(seq, state_hash, event.WhichOneof("body") or "", event.moved.move)


@dataclass(eq=False)
class Ledger:
    """One match. `watches` holds what each watcher was told, in the order in which he was told it.

    `refused` are the reasons by which clients were told of a lost tail; they wait for `go_on` then. `given_up` counts
    answers that an operator has given up. `died_at` is when an engine that had the match died last
    (`time.monotonic()`).
    """

    match_id: str
    game: Game
    accepted: list[Accepted] = field(default_factory=list)
    watches: dict[str, list[Place]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    go_on: asyncio.Event = field(default_factory=asyncio.Event)
    abandoned: bool = False
    over: bool = False
    died_at: float = 0.0
    given_up: int = 0

    @property
    def active(self) -> bool:
        """Whether more moves are to come."""
        return not self.over and not self.abandoned and len(self.accepted) <= len(self.game.moves) - self.game.ends

    @property
    def last_known(self) -> int:
        """The last event that any client knows of."""
        told = (watch[-1].seq for watch in self.watches.values() if watch)
        return max([0, *told, *(answer.seq for answer in self.accepted)])

    def watch(self, name: str) -> list[Place]:
        """A new list for what the watcher is told, from the first event on."""
        self.watches[name] = []
        return self.watches[name]

    def rewind(self, head: int) -> None:
        """An operator has given up all events after `head`; all watch anew."""
        kept = [answer for answer in self.accepted if answer.seq <= head]
        self.given_up += len(self.accepted) - len(kept)
        self.accepted = kept
        self.watches.clear()
        self.refused.clear()
