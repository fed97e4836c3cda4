"""The event loop of a measurement. A SIGTERM ends the measurement in good order, as Ctrl-C does."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """What `work` returns, on a uvloop of its own. A SIGTERM cancels it, and raises SystemExit 143 when it has ended.

    A signal handler that raises is not enough here: the exception may meet the inside of uvloop, which takes it for a
    failure of the connection that it was busy with.
    """
    before = signal.getsignal(signal.SIGTERM)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        if threading.current_thread() is not threading.main_thread():
            return runner.run(work)
        try:
            return runner.run(_heeding(work))
        except asyncio.CancelledError:
            raise SystemExit(128 + signal.SIGTERM) from None
        finally:
            signal.signal(signal.SIGTERM, before)


async def _heeding(work: Coroutine[Any, Any, T]) -> T:
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work
