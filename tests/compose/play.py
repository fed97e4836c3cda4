"""All matches under way at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from tests.compose.table import Pace, Played, Table


class Play:
    """All tables, one for each of `games`. Use it as `async with`: what still runs at the end is cancelled."""

    def __init__(self, gateways: Sequence[str], games: Sequence[str]) -> None:
        self.pace = Pace()
        door = asyncio.Lock()
        # Whoever sits down first is at either gateway.
        both = [gateways, gateways[::-1]]
        self.tables = [Table(number, game, both[number // 2 % 2], self.pace, door) for number, game in enumerate(games)]
        self._running: list[asyncio.Task[None]] = []

    @property
    def played(self) -> list[Played]:
        """All matches that were begun."""
        return [played for table in self.tables for played in table.played]

    async def goes_on(self, moves: int, within_s: float) -> str:
        """Waits until both players of each table have so many more moves; the problem, if they do not get them.

        Raises what a player was refused with.
        """
        wanted = [[count + moves for count in table.moves] for table in self.tables]
        deadline = time.monotonic() + within_s
        while True:
            for task in self._running:
                if task.done():
                    task.result()
            behind = [str(table) for table in self.tables if not table.has(wanted[table.number])]
            if not behind:
                return ""
            if time.monotonic() > deadline:
                return f"not {moves} moves of both players within {within_s:.0f} s at {'; '.join(behind)}"
            await asyncio.sleep(0.1)

    async def finish(self, resign_after_s: float, within_s: float) -> str:
        """Lets all matches come to their ends, at full speed; the problem, if they do not."""
        self.pace.pause_s, self.pace.closing = 0.0, True
        self.pace.resign_at = time.monotonic() + resign_after_s
        _, running = await asyncio.wait(self._running, timeout=within_s)
        for task in self._running:
            if task.done():
                task.result()
        return f"{len(running)} matches are not over after {within_s:.0f} s" if running else ""

    async def __aenter__(self) -> Self:
        self._running = [asyncio.create_task(table.run()) for table in self.tables]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
