"""Which calls have waited too long, told from a mark a tick instead of a time for every call."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple


class _Mark(NamedTuple):
    at: float
    next_id: int
    heard: int


class Overdue:
    """Marks how far the call ids had come at each tick. A call whose id is below a mark's is at least as old as it.

    `stall_s`: a call that waits longer, while nothing at all is heard, means that the engine has stopped.
    `limit_s`: a call that waits longer is given up, whatever else is heard.
    """

    def __init__(self, stall_s: float, limit_s: float, tick_s: float) -> None:
        self._stall_s = stall_s
        self._limit_s = limit_s
        self._pause_s = 4 * tick_s
        self._marks: deque[_Mark] = deque()
        self._last = float("-inf")

    def tick(self, now: float, next_id: int, heard: int) -> None:
        """To be called every `tick_s`: `next_id` is the id of the next call, `heard` counts messages received."""
        if now - self._last > self._pause_s:
            # This process itself was stopped or starved: silence during that time says nothing about the engine.
            self._marks.clear()
        self._last = now
        self._marks.append(_Mark(now, next_id, heard))
        while len(self._marks) > 1 and now - self._marks[1].at >= self._limit_s:
            self._marks.popleft()

    def stalled(self, now: float, oldest_id: int, heard: int) -> bool:
        """Whether the call `oldest_id` has waited `stall_s` while nothing was heard."""
        for mark in reversed(self._marks):
            if now - mark.at >= self._stall_s:
                return oldest_id < mark.next_id and heard == mark.heard
        return False

    def given_up(self, now: float) -> int:
        """All calls with a smaller id have waited `limit_s`."""
        mark = self._marks[0] if self._marks else None
        return mark.next_id if mark is not None and now - mark.at >= self._limit_s else 0
