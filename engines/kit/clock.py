"""Clocks: how much time each seat has left. Time comes from the events alone."""

from __future__ import annotations

import struct
from typing import NamedTuple


class Clock(NamedTuple):
    """Milliseconds left for each seat at `at_ms`; the clocks of the seats in `running` run since then."""

    remaining_ms: tuple[int, ...]
    running: frozenset[int]
    at_ms: int
    increment_ms: int

    @classmethod
    def start(cls, seats: int, initial_ms: int, increment_ms: int) -> Clock:
        """All clocks full, none running."""
        return cls((initial_ms,) * seats, frozenset(), 0, increment_ms)

    def at(self, at_ms: int, running: frozenset[int], moved: int | None = None) -> Clock:
        """After an event at `at_ms`: time that passed is taken off, and `running` run from now on.

        `moved` names a seat that has moved and gets its increment. A clock never shows less than 0.
        """
        passed = at_ms - self.at_ms
        remaining = [
            max(0, left - passed) if seat in self.running else left for seat, left in enumerate(self.remaining_ms)
        ]
        if moved is not None:
            remaining[moved] += self.increment_ms
        return Clock(tuple(remaining), running, at_ms, self.increment_ms)

    def falls_at(self) -> int | None:
        """When the first running clock reaches 0, milliseconds since 1970 UTC; None when none runs."""
        if not self.running:
            return None
        return self.at_ms + min(self.remaining_ms[seat] for seat in self.running)

    def fallen(self, at_ms: int) -> int | None:
        """The seat whose clock has reached 0 by `at_ms`, the lowest of those that fell first; None: none has."""
        falls = self.falls_at()
        if falls is None or falls > at_ms:
            return None
        return min(self.running, key=lambda seat: (self.remaining_ms[seat], seat))

    def dump(self) -> bytes:
        """Canonical bytes: u8 seats, then for each i64 milliseconds left and u8 running, then i64 at, u32 increment."""
        parts = [struct.pack(">B", len(self.remaining_ms))]
        parts += [struct.pack(">qB", left, seat in self.running) for seat, left in enumerate(self.remaining_ms)]
        parts.append(struct.pack(">qI", self.at_ms, self.increment_ms))
        return b"".join(parts)
