"""Single fields of hashes in the store, read many at a time.

After a restart thousands of watchers come back at once, each for another match; a connection each would be too many.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from core.errors import Refused
from core.process.keeper import TaskKeeper
from core.store.errors import store_errors

_MOST: Final = 512


class Lookups:
    """Collects look-ups while one pipeline is under way, and sends them as the next one."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._waiting: deque[tuple[str, str, asyncio.Future[bytes | None]]] = deque()
        self._keeper = TaskKeeper()
        self._running = False

    async def read(self, key: str, field: str) -> bytes | None:
        """The field; None when there is none. Raises `Refused`: STORE_DOWN and what else a store cannot do."""
        found: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((key, field, found))
        if not self._running:
            self._running = True
            self._keeper.keep("gateway-lookups", self._send_all)
        return await found

    async def close(self) -> None:
        """Ends what is under way."""
        await self._keeper.close()

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                await self._send([self._waiting.popleft() for _ in range(min(_MOST, len(self._waiting)))])
        finally:
            self._running = False

    async def _send(self, batch: list[tuple[str, str, asyncio.Future[bytes | None]]]) -> None:
        try:
            with store_errors():
                async with self._store.pipeline(transaction=False) as pipeline:
                    for key, field, _ in batch:
                        pipeline.hget(key, field)
                    values = await pipeline.execute()
        except Refused as refused:
            for _, _, found in batch:
                if not found.done():
                    found.set_exception(
                        Refused(
                            refused.reason,
                            refused.message,
                            refused.metadata,
                            retry_after_ms=refused.retry_after_ms,
                        )
                    )
            return
        except BaseException:
            for _, _, found in batch:
                found.cancel()
            raise
        for (_, _, found), value in zip(batch, values, strict=True):
            if not found.done():
                found.set_result(value)
