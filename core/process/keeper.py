"""Background tasks that are never left unwatched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Final

from core.telemetry.logs import get_logger
from core.telemetry.metrics import TASK_FAILURES

_FIRST_PAUSE_S: Final = 0.1
_LONGEST_PAUSE_S: Final = 5.0
AGAIN_S: Final = 2.0
"""Longer than anything takes to end that has heard of its cancellation."""

_log = get_logger("hamle.process")

Factory = Callable[[], Coroutine[Any, Any, None]]


class TaskKeeper:
    """Runs background tasks. One that fails is logged with its traceback and, by its policy, begun again or made known.

    `on_failure` is called with the error of the first task that may not be begun again; `failure` holds it. A task that
    returns is done. Use it as `async with`, or call `close`: it cancels what still runs and waits for its end.
    """

    def __init__(self, on_failure: Callable[[BaseException], None] | None = None) -> None:
        self.failure: BaseException | None = None
        self._on_failure = on_failure
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def keep(self, name: str, begin: Factory, *, restart: bool = False) -> asyncio.Task[None]:
        """Runs `begin()` as a task. With `restart` a failed one is begun again, after 0.1 s at first, at most 5 s."""
        if self._closed:
            raise RuntimeError(f"the task {name} came after the keeper was closed")
        task = asyncio.create_task(self._watch(name, begin, restart), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def close(self) -> None:
        """Cancels all tasks and waits for them.

        One that goes on is cancelled again after a while: before Python 3.12 a cancellation can be lost in `wait_for`,
        which clients of the store use.
        """
        self._closed = True
        tasks = {task for task in self._tasks if task is not asyncio.current_task()}
        while tasks:
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=AGAIN_S)

    async def __aenter__(self) -> TaskKeeper:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _watch(self, name: str, begin: Factory, restart: bool) -> None:
        loop = asyncio.get_running_loop()
        pause = _FIRST_PAUSE_S
        while True:
            began = loop.time()
            try:
                return await begin()
            except asyncio.CancelledError as error:
                if _cancelled():
                    raise
                failure: BaseException = error
            except Exception as error:
                failure = error
            TASK_FAILURES.labels(name).inc()
            _log.error("background task failed", task=name, restart=restart, exc_info=failure)
            if not restart:
                return self._fail(failure)
            pause = _FIRST_PAUSE_S if loop.time() - began > _LONGEST_PAUSE_S else min(2 * pause, _LONGEST_PAUSE_S)
            await asyncio.sleep(pause)

    def _fail(self, failure: BaseException) -> None:
        if self.failure is None:
            self.failure = failure
            if self._on_failure is not None:
                self._on_failure(failure)


def _cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
