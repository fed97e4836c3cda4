"""An event loop in a thread of its own, for callers without one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for callers in other threads and hands back what they give or raise."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hamle-client", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The coroutine's result. When the caller is interrupted (Ctrl-C), the coroutine is cancelled."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def iterate(self, items: AsyncGenerator[T, None]) -> Iterator[T]:
        """The generator's items, one at a time; it is closed when the iteration ends or is left."""
        try:
            while True:
                yield self.run(_next(items))
        except _Ended:
            return
        finally:
            if self._loop.is_running():
                self.run(items.aclose())

    def stop(self) -> None:
        """Ends the loop and its thread, with what still runs on it."""
        self.run(self._cancel_all())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _cancel_all(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_asyncgens()


class _Ended(Exception):
    pass


async def _next(items: AsyncGenerator[T, None]) -> T:
    try:
        return await anext(items)
    except StopAsyncIteration:
        raise _Ended from None
