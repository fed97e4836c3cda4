"""Everybody who waits for a pairing at this gateway: one task asks the store for all of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

from core.errors import Refused, shutting_down
from core.store.outage import Outage
from core.telemetry import logs
from services.gateway.pairing.queue import Queue, Seen

POLL_S: Final = 0.1
TOUCH_S: Final = 10.0
_BATCH: Final = 500
_SWEEP: Final = 1000

_log = logs.get_logger("hamle.gateway.pairing")

Awaited = asyncio.Future[Seen | None]


class Waiters:
    """Long polls. Keep `run` running under a supervisor; `close` ends all waits.

    The news of all queues are read every `poll_s` while anybody waits, so a wait costs the store nothing; every
    `touch_s` all awaited tickets are looked at, which keeps them in their queues, and finds what the news did not tell.
    """

    def __init__(
        self,
        queue: Queue,
        *,
        poll_s: float = POLL_S,
        touch_s: float = TOUCH_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._queue = queue
        self._poll_s = poll_s
        self._touch_s = touch_s
        self._monotonic = monotonic
        self._waits: dict[str, set[Awaited]] = {}
        self._somebody = asyncio.Event()
        self._closed = False

    async def wait(self, ticket: str, account_id: str, timeout_s: float) -> Seen | None:
        """What has become of the ticket, waited for while nothing has; None: the account has no such ticket.

        Raises `Refused`: SHUTTING_DOWN, and when the store does not answer at first.
        """
        if self._closed:
            raise shutting_down()
        news: Awaited = asyncio.get_running_loop().create_future()
        # Registered before the look: what happens after it is in the news that are read for this wait.
        self._waits.setdefault(ticket, set()).add(news)
        self._somebody.set()
        try:
            seen = (await self._queue.look([ticket]))[0]
            if seen is None or seen.account_id != account_id:
                return None
            if seen.pairing is not None or timeout_s <= 0:
                return seen
            done, _ = await asyncio.wait([news], timeout=timeout_s)
            return news.result() if done else seen
        finally:
            self._leave(ticket, news)

    def close(self) -> None:
        """Ends all waits with SHUTTING_DOWN."""
        self._closed = True
        for waits in self._waits.values():
            for news in waits:
                if not news.done():
                    news.set_exception(shutting_down())

    async def run(self) -> None:
        """Asks for ever; a store that is away is logged once and asked again."""
        outage = Outage(_log, "the store is away: pairings wait", "pairings are followed again")
        while True:
            await self._somebody.wait()
            try:
                await self._follow()
            except Refused as refused:
                outage.begins(refused.name)
                await self._until_it_answers()
                outage.ends()

    async def _follow(self) -> None:
        cursor = await self._queue.last_news()
        touch_at = float("-inf")
        while self._waits:
            tickets, cursor = await self._queue.news(cursor, _SWEEP)
            await self._look([ticket for ticket in tickets if ticket in self._waits])
            if self._monotonic() >= touch_at:
                await self._look(list(self._waits))
                while await self._queue.sweep(_SWEEP) == _SWEEP:
                    pass
                touch_at = self._monotonic() + self._touch_s
            if len(tickets) < _SWEEP:
                await asyncio.sleep(self._poll_s)
        self._somebody.clear()

    async def _look(self, tickets: Sequence[str]) -> None:
        for first in range(0, len(tickets), _BATCH):
            batch = tickets[first : first + _BATCH]
            for ticket, seen in zip(batch, await self._queue.look(batch), strict=True):
                if seen is None or seen.pairing is not None:
                    for news in self._waits.get(ticket, ()):
                        if not news.done():
                            news.set_result(seen)

    async def _until_it_answers(self) -> None:
        while True:
            await asyncio.sleep(self._poll_s * 5)
            try:
                await self._queue.last_news()
                return
            except Refused:
                continue

    def _leave(self, ticket: str, news: Awaited) -> None:
        waits = self._waits[ticket]
        waits.discard(news)
        if not waits:
            del self._waits[ticket]
        if news.done() and not news.cancelled():
            news.exception()
