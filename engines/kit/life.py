"""A match's life: who sits where, under which rules, how far it is. No game knowledge, no IO."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from hashlib import sha256
from typing import TypeVar

from engines.kit.game import Outcome

T = TypeVar("T")


class Status(IntEnum):
    """Where a match stands; numbers as in `hamle.match.v1.MatchStatus`."""

    WAITING = 1
    ACTIVE = 2
    FINISHED = 3
    CANCELLED = 4


@dataclass(frozen=True)
class Life:
    """Everything of a match's state that is not the clock and not the game.

    `seats[i]` is the handle of who sits at seat i, empty when it is free; `entropies[i]` is what he added to the seed.
    `options` are (name, value) pairs in the order of the names. `secret` is the match's secret (32 bytes) and `reason`
    why the game ended where the game itself does not know (a clock). `until_ms` is when a match that waits is
    cancelled.
    """

    game: str
    rules: str
    options: tuple[tuple[str, str], ...]
    seats: tuple[str, ...]
    entropies: tuple[bytes, ...]
    status: Status
    visibility: int
    time_control: tuple[int, int] | None
    commitment: bytes
    creator: str
    manual_start: bool
    created_at_ms: int
    until_ms: int
    start_within_ms: int
    secret: bytes = field(repr=False)
    revealed: bool = False
    outcome: Outcome | None = None
    reason: str = ""
    parent: str = ""
    tail_lost: tuple[tuple[int, int], ...] = ()

    def seat_of(self, handle: str) -> int | None:
        """The seat that the handle holds; None for spectators, and for the empty handle."""
        if not handle:
            return None
        try:
            return self.seats.index(handle)
        except ValueError:
            return None

    def taken(self) -> int:
        """How many seats are taken."""
        return sum(1 for handle in self.seats if handle)

    def sit(self, seat: int, handle: str, entropy: bytes) -> Life:
        """With the handle at the seat."""
        return replace(self, seats=_put(self.seats, seat, handle), entropies=_put(self.entropies, seat, entropy))

    def stand(self, seat: int) -> Life:
        """With the seat free."""
        return self.sit(seat, "", b"")

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of the canonical bytes: what the state hash covers of a life."""
        return sha256(self.canonical).digest()

    @cached_property
    def canonical(self) -> bytes:
        """Canonical bytes: JSON with sorted keys, ASCII, no spaces.

        Of the secret only the commitment is in it, so the bytes tell nothing before the end.
        """
        outcome = self.outcome
        value = {
            "game": self.game,
            "rules": self.rules,
            "options": dict(self.options),
            "seats": self.seats,
            "entropies": [entropy.hex() for entropy in self.entropies],
            "status": self.status.name,
            "visibility": self.visibility,
            "time_control": self.time_control,
            "commitment": self.commitment.hex(),
            "creator": self.creator,
            "manual_start": self.manual_start,
            "created_at_ms": self.created_at_ms,
            "until_ms": self.until_ms,
            "start_within_ms": self.start_within_ms,
            "revealed": self.revealed,
            "outcome": None if outcome is None else [[list(p) for p in outcome.placements], outcome.reason],
            "reason": self.reason,
            "parent": self.parent,
            "tail_lost": self.tail_lost,
        }
        return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def _put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])
