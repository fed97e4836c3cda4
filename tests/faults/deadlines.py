"""Matches with deadlines that only the timekeepers can see to: nobody asks for them before they are due."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from hamle_client import Client, MatchFinished

from core.errors import Refused
from core.log.reader import RedisLogReader
from engines.kit.history import History
from engines.kit.life import Status
from engines.kit.state import deadline_ms
from tests.faults.audit import GAMES
from tests.faults.world import World

CLOCK_MS = 2_000
ALLOWED_S = 30.0
"""How late a deadline may be met: a lease runs 3 s, and the store or all engines may be away in between."""


class Planted(NamedTuple):
    """A match whose deadline is at `due_ms`; `event` is what is to happen then."""

    match_id: str
    due_ms: int
    event: str
    losses: int


class Deadlines:
    """Makes such matches, and looks whether their deadlines were met. `lag_s` is the longest delay."""

    def __init__(self, world: World, clients: tuple[Client, Client]) -> None:
        self._world = world
        self._clients = clients
        self._later: list[asyncio.Task[None]] = []
        self.count = 0
        self.lag_s = 0.0

    async def plant(self) -> list[Planted]:
        """Three matches whose clocks fall soon, which are given; and three that never start, looked at later."""
        soon = [await self._planted(self._started, "clock_expired") for _ in range(3)]
        for _ in range(3):
            unstarted = await self._planted(self._unstarted, "cancelled")
            self._later.append(asyncio.create_task(self.met([unstarted])))
        return soon

    async def all_met(self) -> None:
        """Waits for those that were left for later."""
        await asyncio.gather(*self._later)

    def close(self) -> None:
        """Waits for nothing any more."""
        for task in self._later:
            task.cancel()

    async def met(self, planted: list[Planted]) -> None:
        """Waits until these deadlines have been met; takes note of those that were not."""
        for each in planted:
            limit_ms = each.due_ms + ALLOWED_S * 1000
            while True:
                history = await self._history(each.match_id)
                if self._world.losses != each.losses:
                    return
                if history.seq and history.state.life.status in (Status.FINISHED, Status.CANCELLED):
                    await self._note(each)
                    break
                if time.time() * 1000 > limit_ms:
                    self._world.totals.fail(f"the deadline of match {each.match_id} was not met: {each.event}")
                    break
                await self._world.house.revive_timekeepers()
                await asyncio.sleep(0.1)

    async def _started(self) -> str:
        ann, bob = self._clients
        while True:
            made = await ann.create("coerceo", {"start": "ocius"}, clock=(CLOCK_MS, 0))
            try:
                await bob.join(made.id)
                return made.id
            except MatchFinished:
                # It took so long that the match was cancelled.
                continue

    async def _unstarted(self) -> str:
        return (await self._clients[0].create("coerceo")).id

    async def _planted(self, make: Callable[[], Awaitable[str]], event: str) -> Planted:
        while True:
            match_id = await make()
            history = await self._history(match_id)
            due = deadline_ms(history.game, history.state)
            # While the store is away a deadline may pass before anybody has read it: then another match is made.
            if due is not None:
                return Planted(match_id, due, event, self._world.losses)

    async def _note(self, planted: Planted) -> None:
        reader = RedisLogReader(await self._world.house.reader())
        history = History(GAMES)
        async for batch in reader.read(planted.match_id):
            for record in batch:
                event, _, _ = history.add(record)
                if event.WhichOneof("body") == planted.event:
                    if event.at_ms < planted.due_ms:
                        self._world.totals.fail(f"the deadline of match {planted.match_id} was met too early")
                    self.count += 1
                    self.lag_s = max(self.lag_s, (event.at_ms - planted.due_ms) / 1000)
                    return
        self._world.totals.fail(f"match {planted.match_id} ended without {planted.event}")

    async def _history(self, match_id: str) -> History:
        while True:
            history = History(GAMES)
            try:
                async for batch in RedisLogReader(await self._world.house.reader()).read(match_id):
                    for record in batch:
                        history.add(record)
                return history
            except Refused:
                await asyncio.sleep(0.1)
