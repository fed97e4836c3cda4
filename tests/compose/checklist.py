"""What is checked, told line by line and counted."""

from __future__ import annotations

import time


class Checklist:
    """Prints what goes on and what holds."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self._began = time.monotonic()

    def say(self, text: str) -> None:
        """A line of progress."""
        print(f"[{time.monotonic() - self._began:4.0f} s] {text}", flush=True)

    def check(self, what: str, problem: str = "") -> None:
        """Counts: passed when there is no problem."""
        if problem:
            self.failed += 1
            self.say(f"FAILED  {what}: {problem}")
        else:
            self.passed += 1
            self.say(f"ok      {what}")

    @property
    def ok(self) -> bool:
        """Whether something was checked and nothing failed."""
        return self.passed > 0 and self.failed == 0

    def summary(self) -> str:
        """The last line."""
        return f"{self.passed} passed, {self.failed} failed"
