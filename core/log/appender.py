"""The write path of the log: every append of a process goes through one `Appender`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Final, Self

from core.errors import shutting_down
from core.log.command import check
from core.log.histories import Histories
from core.log.lane import Lane, Then, Ticket
from core.log.lanes import Lanes
from core.log.types import Append, Appended
from core.store.settings import StoreSettings
from core.telemetry import logs

QUEUE_LIMIT: Final = 8192

_log = logs.get_logger("hamle.log")


class AppendStats:
    """Counts since the start; `mean` is the size of a batch."""

    def __init__(self) -> None:
        self.appends = 0
        self.batches = 0

    @property
    def mean(self) -> float:
        """Appends a batch."""
        return self.appends / self.batches if self.batches else 0.0


class Appender:
    """Appends to logs, a batch at a time for each master. `async with` connects and disconnects it.

    Entering raises `Refused` when a master is down, unfit or read-only. `queue_limit` appends may wait for each master.
    `on_batch` takes each batch's size and seconds. `on_new_history` takes the shards whose master is another one, or
    was started anew: it may have forgotten acknowledged events, so compare the heads of warm matches.
    """

    def __init__(
        self,
        settings: StoreSettings,
        *,
        queue_limit: int = QUEUE_LIMIT,
        on_batch: Callable[[int, float], None] | None = None,
        on_new_history: Callable[[frozenset[int]], None] | None = None,
    ) -> None:
        self.stats = AppendStats()
        self._settings = settings
        self._queue_limit = queue_limit
        self._batch_hook = on_batch
        self._histories = Histories(on_new_history)
        self._closing = False

    async def __aenter__(self) -> Self:
        self._create_future = asyncio.get_running_loop().create_future
        self._lanes = Lanes(self._settings, self._histories, self._new_lane)
        await self._lanes.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._closing = True
        try:
            async with asyncio.timeout(self._settings.reply_timeout_s):
                while not self._lanes.idle:  # noqa: ASYNC110 - an event would cost on the path of every append
                    await asyncio.sleep(0.005)
        except TimeoutError:
            _log.warning("the store did not answer all appends before the end")
        finally:
            await self._lanes.close()
        if exc is None and self._lanes.crashed.done():
            self._lanes.crashed.result()

    def send(self, append: Append, then: Then, waiting: asyncio.Future[Appended] | None = None) -> None:
        """Queue an append; `then` is called once, later, with what `append` answers or raises.

        ValueError when the append cannot be meant. Where `then` settles a future, `waiting` is that: cancel it and the
        append is dropped if it still waits. One that was sent is carried out all the same.
        """
        check(append)
        ticket = Ticket(append, then, waiting)
        if self._closing:
            ticket.fail(shutting_down())
        else:
            self._lanes.put(ticket)

    def submit(self, append: Append) -> asyncio.Future[Appended]:
        """`send` with a future that gets what `append` answers or raises; it may be cancelled."""
        future: asyncio.Future[Appended] = self._create_future()
        self.send(append, partial(_settle, future), future)
        return future

    async def append(self, append: Append) -> Appended:
        """Add records to a log, all or nothing.

        Raises `Conflict` with the stored head, `TailLost` while a loss is not accepted, `UnknownOutcome` when the store
        was lost while it had the append, and `Refused` when nothing was done: STORE_DOWN, STORE_READ_ONLY,
        STORE_OUT_OF_MEMORY, STORE_UNFIT, OVERLOADED, SHUTTING_DOWN.
        """
        return await self.submit(append)

    async def watch(self) -> None:
        """Runs for ever; raises what killed a background task. Belongs into the process's task group."""
        await asyncio.shield(self._lanes.crashed)

    def _new_lane(self, on_moved: Callable[[Ticket], None]) -> Lane:
        return Lane(self._queue_limit, self._settings.reply_timeout_s, self._on_batch, on_moved)

    def _on_batch(self, size: int, seconds: float) -> None:
        self.stats.batches += 1
        self.stats.appends += size
        if self._batch_hook is not None:
            self._batch_hook(size, seconds)


def _settle(future: asyncio.Future[Appended], result: Appended | Exception) -> None:
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
