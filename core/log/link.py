"""Keeps one lane connected to its master: connects, asks whether the server is fit, loads the functions, waits."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Final

from core.errors import Refused
from core.log.command import LIBRARY
from core.log.lane import Lane
from core.store.errors import refusal_for
from core.store.fitness import Facts, judge, open_fit_wire
from core.store.functions import load_over
from core.store.settings import Address, StoreSettings
from core.store.wire import CLOSED, Wire
from core.telemetry import logs
from core.telemetry.metrics import STORE_RECONNECTS

FIRST_PAUSE_S: Final = 0.02
LONGEST_PAUSE_S: Final = 1.0

_log = logs.get_logger("hamle.log")


class Link:
    """The connection of a lane. `run` is a task of its owner; `first` is done after the first attempt.

    `history` is what the server named last, None before the first connection. `on_up` is told of each connection before
    anything is sent over it, `on_down` of each failure.
    """

    def __init__(
        self,
        settings: StoreSettings,
        address: Address,
        lane: Lane,
        on_up: Callable[[Link], None],
        on_down: Callable[[], None],
    ) -> None:
        self.lane = lane
        self.address = address
        self.history: str | None = None
        self.first: asyncio.Future[Refused | None] = asyncio.get_running_loop().create_future()
        self._settings = settings
        self._on_up = on_up
        self._on_down = on_down

    async def run(self) -> None:
        """Connect, again and again with growing pauses, until cancelled. Raises only what is a fault of the program."""
        failures = 0
        while True:
            wire: Wire | None = None
            try:
                wire, facts = await open_fit_wire(self._settings, self.address)
                async with asyncio.timeout(self._settings.reply_timeout_s):
                    await load_over(wire, LIBRARY)
                failures = 0
                self._up(wire, facts)
                await wire.closed
                raise ConnectionError(CLOSED)
            except Exception as error:
                refusal = refusal_for(error)
                if refusal is None:
                    raise
                self._down(refusal, error, failures)
            finally:
                if wire is not None:
                    wire.close()
            await asyncio.sleep(min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2**failures) * random.uniform(0.5, 1.0))
            failures = min(failures + 1, 16)

    def _up(self, wire: Wire, facts: Facts) -> None:
        self.history = facts.history
        if self.first.done():
            STORE_RECONNECTS.labels("appends").inc()
        self._on_up(self)
        self.lane.attach(wire, judge(facts, self._settings.durability))
        _log.info("store connected", store=str(self.address), appendfsync=facts.appendfsync)
        if not self.first.done():
            self.first.set_result(None)

    def _down(self, refusal: Refused, error: Exception, failures: int) -> None:
        self.lane.detach(refusal)
        if failures == 0:
            _log.warning("store lost", store=str(self.address), reason=refusal.name, error=str(error))
        if not self.first.done():
            self.first.set_result(refusal)
        self._on_down()
