"""How often, and for how long, a watch that does not get on is begun again. Pure."""

from __future__ import annotations

from typing import Final

FIRST_S: Final = 5.0
"""For a watcher who has been told nothing yet."""
LONGEST_S: Final = 30.0
"""For one who has, and who loses less by waiting."""
SETTLED_S: Final = 5.0
"""A watch that has lasted so long has got on."""

_PAUSES_S: Final = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8)


class Patience:
    """Counts the tries since the watch last got on. Times are of a clock that never goes back, in seconds."""

    __slots__ = ("_since_s", "_tries")

    def __init__(self, now_s: float) -> None:
        self._since_s = now_s
        self._tries = 0

    def ended(self, began_s: float, now_s: float, told: bool) -> None:
        """A watch has ended that began then; `told`: it brought events."""
        if told or now_s - began_s > SETTLED_S:
            self._since_s = now_s
            self._tries = 0

    def is_over(self, now_s: float, greeted: bool) -> bool:
        """Whether to give up; `greeted`: the watcher has been told something."""
        return now_s - self._since_s > (LONGEST_S if greeted else FIRST_S)

    def pause_s(self) -> float:
        """The pause before the next try: none before the first, then longer and longer."""
        pause = _PAUSES_S[min(self._tries, len(_PAUSES_S) - 1)]
        self._tries += 1
        return pause
