"""What the person who waits sees, on standard error: a line for each fault, and bars on a terminal.

Elsewhere a line at least every half minute stands for the bars.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_A_SECOND = 4
_SILENCE_S = 30.0


class Telling:
    """`with Telling(...) as telling` shows the bars; what is printed meanwhile appears above them."""

    def __init__(self, faults: int, moves: int) -> None:
        self._began = self._told = time.monotonic()
        console = Console(stderr=True, highlight=False, markup=False)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            refresh_per_second=_A_SECOND,
            transient=True,
            disable=not console.is_terminal,
        )
        self._faults = self._bars.add_task("faults", total=faults)
        self._moves = self._bars.add_task("moves", total=moves)
        self._accepted = 0

    def show(self, faults: int, moves: int) -> None:
        """So many are done now."""
        self._accepted = moves
        self._bars.update(self._faults, completed=faults)
        self._bars.update(self._moves, completed=moves)
        if self._bars.disable and time.monotonic() - self._told > _SILENCE_S:
            self.say(f"{faults} faults so far")

    def say(self, sentence: str) -> None:
        """A line of its own."""
        self._told = time.monotonic()
        spent = self._told - self._began
        print(f"[{spent:4.0f} s] {self._accepted:6} moves  {sentence}", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()
