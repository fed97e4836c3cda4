"""An event loop in a thread of its own, for callers without one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

import grpc

from hamle_client.errors import HamleError

T = TypeVar("T")


class LoopThread:
    """Runs coroutines for callers in other threads and hands back what they give or raise."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hamle-client", daemon=True)
        self._thread.start()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The coroutine's result. When the caller is interrupted (Ctrl-C), the coroutine is cancelled, and has ended.

        HamleError when the loop is stopped, before or meanwhile.
        """
        ended = threading.Event()
        with self._lock:
            if self._stopped:
                work.close()
                raise _closed()
            future = asyncio.run_coroutine_threadsafe(_noting_end(work, ended), self._loop)
        return self._result(future, ended)

    def _result(self, future: Future[T], ended: threading.Event) -> T:
        try:
            return future.result()
        except CancelledError:
            if self._stopped:
                raise _closed() from None
            raise
        except BaseException:
            future.cancel()
            # What it cleans up, a generator say, can be neither used nor closed before.
            ended.wait()
            raise

    def iterate(self, items: AsyncGenerator[T, None]) -> Iterator[T]:
        """The generator's items, one at a time; it is closed when the iteration ends or is left."""
        try:
            while True:
                yield self.run(_next(items))
        except _Ended:
            return
        finally:
            # A loop that stops closes them itself.
            if not self._stopped:
                self.run(items.aclose())

    def stop(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Ends the loop and its thread, after `last`, with what still runs on it; once is enough."""
        with self._lock:
            if self._stopped:
                return
            # Nothing begins any more, so that nobody waits for a loop that has stopped.
            self._stopped = True
            ending = asyncio.run_coroutine_threadsafe(self._end(last), self._loop)
        try:
            ending.result()
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _end(self, last: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
        try:
            if last is not None:
                await last()
        finally:
            await self._cancel_all()

    async def _cancel_all(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_asyncgens()


class _Ended(Exception):
    pass


def _closed() -> HamleError:
    return HamleError("the client is closed; make a new one", code=grpc.StatusCode.ABORTED)


async def _noting_end(work: Coroutine[Any, Any, T], ended: threading.Event) -> T:
    # Always gets here: a loop takes a coroutine's first step before a cancellation that was asked for after it.
    try:
        return await work
    finally:
        ended.set()


async def _next(items: AsyncGenerator[T, None]) -> T:
    try:
        return await anext(items)
    except StopAsyncIteration:
        raise _Ended from None
