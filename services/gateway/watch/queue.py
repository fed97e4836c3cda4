"""Frames that wait for a slow watcher, within bounds for one and for all."""

from __future__ import annotations

from collections import deque
from typing import Final, NamedTuple

FAIR_BYTES: Final = 1 << 16
"""What one watcher may hold even when all together hold too much."""


class Queued(NamedTuple):
    """A frame, and the place of the event that it tells of; seq 0: it tells of none."""

    frame: bytes
    seq: int = 0
    hash: bytes = b""


class Budget:
    """Bytes that wait for all watchers of this process together."""

    __slots__ = ("most_bytes", "waiting")

    def __init__(self, most_bytes: int = 1 << 28) -> None:
        self.most_bytes = most_bytes
        self.waiting = 0


class FrameQueue:
    """Frames in order. Empty queues cost next to nothing, as nearly all are empty nearly always."""

    __slots__ = ("_budget", "_bytes", "_most_bytes", "_waiting")

    def __init__(self, budget: Budget, most_bytes: int) -> None:
        self._budget = budget
        self._most_bytes = most_bytes
        self._waiting: deque[Queued] | None = None
        self._bytes = 0

    def __bool__(self) -> bool:
        return self._waiting is not None

    def put(self, queued: Queued) -> bool:
        """Adds a frame; False, and nothing is added, when it does not fit."""
        size, budget = len(queued.frame), self._budget
        held = self._bytes + size
        if held > self._most_bytes or (budget.waiting + size > budget.most_bytes and held > FAIR_BYTES):
            return False
        if self._waiting is None:
            self._waiting = deque()
        self._waiting.append(queued)
        self._bytes = held
        budget.waiting += size
        return True

    def first(self) -> Queued:
        """The frame that waits longest; it stays until `pop`."""
        assert self._waiting is not None
        return self._waiting[0]

    def pop(self) -> None:
        """Removes the first frame."""
        assert self._waiting is not None
        size = len(self._waiting.popleft().frame)
        self._bytes -= size
        self._budget.waiting -= size
        if not self._waiting:
            self._waiting = None

    def clear(self) -> None:
        """Drops all."""
        self._budget.waiting -= self._bytes
        self._bytes = 0
        self._waiting = None
