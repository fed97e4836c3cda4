"""When a process that has ended is started again: at once, but not again and again."""

from __future__ import annotations

from typing import Final

STEADY_S: Final = 30.0
"""Who has run for so long since its last start had no trouble with starting."""
FIRST_S: Final = 1.0
LONGEST_S: Final = 30.0


class Restarts:
    """Waits between starts, for each process by its name. Times are those of a clock that never goes back, seconds.

    The first start comes at once. A process that ends within `STEADY_S` of its start waits for 1 s, the next time for
    2 s, and so on up to `LONGEST_S`.
    """

    def __init__(self) -> None:
        self._started: dict[str, float] = {}
        self._in_a_row: dict[str, int] = {}
        self._due: dict[str, float] = {}

    def ended(self, name: str, now: float) -> float:
        """The process has been found ended; seconds until it is to be started."""
        quick = name in self._started and now - self._started[name] < STEADY_S
        self._in_a_row[name] = self._in_a_row.get(name, 0) + 1 if quick else 0
        wait = min(LONGEST_S, FIRST_S * 2.0 ** (self._in_a_row[name] - 1)) if quick else 0.0
        self._due[name] = now + wait
        return wait

    def waits(self, name: str) -> bool:
        """Its end has been found, and it has not been started since."""
        return name in self._due

    def due(self, name: str, now: float) -> bool:
        """It has waited long enough."""
        return now >= self._due[name]

    def started(self, name: str, now: float) -> None:
        """It has been started."""
        self._started[name] = now
        del self._due[name]
