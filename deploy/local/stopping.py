"""The wish that a launcher stops, which whatever waits for something heeds."""

from __future__ import annotations

import time
from types import FrameType


class Stopped(Exception):
    """What was waited for is no longer wanted: the launcher is to stop."""


class Stopping:
    """Whether the launcher is to stop.

    A mere flag that is looked at often: a signal may come while the lock of an Event is held by whom it interrupts.
    """

    def __init__(self) -> None:
        self._asked = False

    def ask(self, signum: int, frame: FrameType | None) -> None:
        """Asks for it; a signal handler."""
        self._asked = True

    def pause(self, seconds: float) -> None:
        """Waits so long, some tenths of a second. Raises `Stopped`."""
        if not self._asked:
            time.sleep(seconds)
        if self._asked:
            raise Stopped
