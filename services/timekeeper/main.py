"""The timekeeper: asks engines to act when a deadline of a match has passed. Several may run; one may die at any time.

It decides nothing: the engine looks at the match and appends what follows from the time, so that being asked twice, or
by a timekeeper that has lost its lease, does no harm.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from secrets import token_hex
from typing import Final

from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.log.reader import RedisLogReader
from core.process.run import Process, run
from core.settings import Settings, SettingsInvalid, load
from core.store.client import open_store
from core.store.settings import StoreSettings
from core.telemetry import logs
from core.telemetry.metrics import DEADLINES
from services.timekeeper.engines import Engines
from services.timekeeper.leases import Due, Leases

CLAIM_S: Final = 1.0
LOOK_S: Final = 0.2
AT_ONCE: Final = 32

_log = logs.get_logger("hamle.timekeeper")


class Timekeeper:
    """One timekeeper over its leases and the engines."""

    def __init__(self, leases: Leases, engines: Engines) -> None:
        self._leases = leases
        self._engines = engines
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def claim(self) -> None:
        """Keeps the leases, and knows the engines."""
        await self._leases.claim()
        await self._engines.refresh()

    async def look(self) -> None:
        """Handles once what is due."""
        async with asyncio.TaskGroup() as group:
            for due in await self._leases.due():
                group.create_task(self._handle(due))

    async def _handle(self, due: Due) -> None:
        async with self._at_once:
            try:
                next_ms = await self._engines.pass_deadline(due.match_id)
                await self._leases.settle(due, next_ms)
                DEADLINES.labels("done").inc()
            except Refused as refused:
                DEADLINES.labels("failed").inc()
                if refused.reason == error_pb2.REASON_MATCH_NOT_FOUND:
                    await self._leases.settle(due, 0)
                else:
                    # It was put off, so it comes again.
                    _log.warning("deadline not handled yet", match_id=due.match_id, reason=refused.name)


async def repeat(what: Callable[[], Awaitable[None]], every_s: float) -> None:
    """Does it again and again until cancelled; a store that is away is waited for."""
    while True:
        try:
            await what()
        except* Refused as refused:
            _log.warning("waiting for the store", reasons=[str(error) for error in refused.exceptions])
        await asyncio.sleep(every_s)


async def timekeep(process: Process, settings: Settings) -> None:
    """Runs a timekeeper until the process is to stop."""
    store = await open_store(StoreSettings.of(settings))
    engines = Engines(store, RedisLogReader(store), settings)
    try:
        timekeeper = Timekeeper(await Leases.open(store, token_hex(8)), engines)
        process.keeper.keep("claim", lambda: repeat(timekeeper.claim, CLAIM_S))
        process.keeper.keep("look", lambda: repeat(timekeeper.look, LOOK_S))
        _log.info("timekeeper runs")
        await process.stopping.wait()
        await process.keeper.close()
    finally:
        await engines.close()
        await store.aclose()


def main() -> None:
    """Runs the process with the settings of the environment, and ends the program."""
    try:
        settings = load(Settings)
    except SettingsInvalid as invalid:
        sys.exit("\n".join(invalid.problems))
    sys.exit(run("timekeeper", lambda process: timekeep(process, settings), settings))
