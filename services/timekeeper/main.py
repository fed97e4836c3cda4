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
from core.log.index import forget
from core.process.run import Process, load_or_exit, run
from core.settings import Settings
from core.store.client import Client, open_store
from core.store.errors import store_errors
from core.store.outage import Outage
from core.store.settings import StoreSettings
from core.telemetry import logs
from core.telemetry.metrics import DEADLINES, SHARDS_HELD
from services.timekeeper.engines import Engines
from services.timekeeper.leases import Due, Leases

CLAIM_S: Final = 1.0
LOOK_S: Final = 0.2
AT_ONCE: Final = 32
OPERATOR_MS: Final = 60_000
"""For so long a match waits that only an operator can help. There may be many, for days."""

GOODBYE_S: Final = 1.0
"""How long a timekeeper that stops waits for the store to take what it gives up: else that runs out soon."""

_FOR_OPERATORS: Final = {error_pb2.REASON_LOG_LOST_TAIL, error_pb2.REASON_LOG_CORRUPT}

_log = logs.get_logger("hamle.timekeeper")


class Timekeeper:
    """One timekeeper over its leases and the engines."""

    def __init__(self, store: Client, leases: Leases, engines: Engines) -> None:
        self._store = store
        self._leases = leases
        self._engines = engines
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def claim(self) -> Refused | None:
        """Keeps the leases, and knows the engines; says why where a part of the store did not answer."""
        silent = await self._leases.claim()
        SHARDS_HELD.labels("timekeeper").set(len(self._leases.fences))
        await self._engines.refresh()
        return silent

    async def look(self) -> Refused | None:
        """Handles once what is due; says why where a part of the store did not say what."""
        found, silent = await self._leases.due()
        async with asyncio.TaskGroup() as group:
            for due in found:
                group.create_task(self._handle(due))
        return silent

    async def leave(self) -> None:
        """Hands everything over, as far as the store answers. What repeats `claim` and `look` has ended before."""
        try:
            with store_errors():
                async with asyncio.timeout(GOODBYE_S):
                    await self._leases.leave()
        except Refused as refused:
            _log.warning("leases not given up; they run out", reason=refused.name)

    async def _handle(self, due: Due) -> None:
        """Whatever is wrong with one match, it was put off, so it comes again, and the others do not wait for it."""
        async with self._at_once:
            try:
                result = await self._pass(due)
            except Refused as refused:
                result = "failed"
                _log.warning("deadline not handled yet", match_id=due.match_id, reason=refused.name)
            except Exception as error:
                result = "failed"
                _log.error("deadline not handled yet", match_id=due.match_id, exc_info=error)
            DEADLINES.labels(result).inc()

    async def _pass(self, due: Due) -> str:
        try:
            answer = await self._engines.pass_deadline(due.match_id)
        except Refused as refused:
            if refused.reason in _FOR_OPERATORS:
                # The append that lets play go on sets the deadline anew.
                await self._leases.settle(due, due.score + OPERATOR_MS)
            if refused.reason != error_pb2.REASON_MATCH_NOT_FOUND:
                raise
            await forget(self._store, due.match_id)
            return "gone"
        await self._leases.settle(due, answer.next_ms)
        return "done" if answer.done else "early"


async def repeat(what: Callable[[], Awaitable[Refused | None]], every_s: float, outage: Outage) -> None:
    """Does it again and again until cancelled; a store that is away, or a part of it, is waited for."""
    while True:
        try:
            silent = await what()
        except Refused as refused:
            silent = refused
        if silent is not None:
            outage.begins(silent.name)
        else:
            outage.ends()
        await asyncio.sleep(every_s)


async def timekeep(process: Process, settings: Settings) -> None:
    """Runs a timekeeper until the process is to stop."""
    store = await open_store(StoreSettings.of(settings))
    engines = Engines(store, settings)
    try:
        timekeeper = Timekeeper(store, await Leases.open(store, token_hex(8)), engines)
        process.keeper.keep("claim", lambda: repeat(timekeeper.claim, CLAIM_S, _outage("leases")))
        process.keeper.keep("look", lambda: repeat(timekeeper.look, LOOK_S, _outage("deadlines")))
        _log.info("timekeeper runs")
        await process.stopping.wait()
        await process.keeper.close()
        await timekeeper.leave()
    finally:
        await engines.close()
        await store.aclose()


def _outage(what: str) -> Outage:
    return Outage(_log, "waiting for the store", "the store is back", what=what)


def main() -> None:
    """Runs the process with the settings of the environment, and ends the program."""
    settings = load_or_exit(Settings)
    sys.exit(run("timekeeper", lambda process: timekeep(process, settings), settings))
