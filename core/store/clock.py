"""The store's time without a round trip: what all processes agree on."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Final

from redis.asyncio import RedisCluster

from core.errors import Refused
from core.store.client import Client
from core.store.errors import store_errors
from core.store.outage import Outage
from core.telemetry import logs

SAMPLES: Final = 5
RESYNC_S: Final = 30.0

_log = logs.get_logger("hamle.store")


class Sample:
    """The store's time as read once: by the local monotonic clock between two moments, all in seconds."""

    def __init__(self, sent: float, received: float, stored: float) -> None:
        self.round_trip = received - sent
        self.offset = stored - (sent + received) / 2


class StoreClock:
    """Redis TIME, estimated from the local monotonic clock: right to half a round trip. `sync` first, then `run`.

    Never goes back, so times that a process takes from it are in order.
    """

    def __init__(self, client: Client) -> None:
        self._client: Any = client
        self._offset: float | None = None
        self._last_ms = 0

    async def sync(self) -> None:
        """Ask the store for the time, and take the quickest of a few answers. Raises `Refused` STORE_DOWN."""
        samples = [await self._sample() for _ in range(SAMPLES)]
        self._offset = min(samples, key=lambda sample: sample.round_trip).offset

    async def run(self) -> None:
        """Ask anew every 30 s, for ever; while the store is down the last estimate goes on. A task of the process."""
        outage = Outage(_log, "the store's clock is not read; its time is estimated", "the store's clock is read again")
        while True:
            await asyncio.sleep(RESYNC_S)
            try:
                await self.sync()
            except Refused as refusal:
                outage.begins(refusal.name)
            else:
                outage.ends()

    def now_ms(self) -> int:
        """Milliseconds since 1970 UTC by the store's clock. RuntimeError before the first `sync`."""
        if self._offset is None:
            raise RuntimeError("the store's clock is read before the first sync")
        self._last_ms = max(self._last_ms, int((time.monotonic() + self._offset) * 1000))
        return self._last_ms

    async def _sample(self) -> Sample:
        node: dict[str, Any] = {}
        if isinstance(self._client, RedisCluster):
            # All processes ask the same master while it lives.
            node = {"target_nodes": min(self._client.get_primaries(), key=lambda primary: str(primary.name))}
        sent = time.monotonic()
        with store_errors():
            seconds, micros = await self._client.execute_command("TIME", **node)
        return Sample(sent, time.monotonic(), seconds + micros / 1e6)
