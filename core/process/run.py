"""From `main` to exit code: logs, metrics page, event loop, signals, a graceful end within bounds."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Any, Final, TypeVar

from core.errors import Refused
from core.process.garbage import collect_seldom
from core.process.keeper import TaskKeeper
from core.settings import Settings, SettingsInvalid, load, near_misses, variable
from core.telemetry import logs
from core.telemetry.metrics import MetricsPage

OK: Final = 0
FAILED: Final = 1
UNFIT: Final = 2
"""Exit code when the process did not start because of its settings or its store."""

S = TypeVar("S", bound=Settings)

_AFTER_GRACE_S: Final = 3.0
_CANCEL_S: Final = 2.0

_log = logs.get_logger("hamle.process")


class Process:
    """What a running role is given: when to stop, and who keeps its background tasks.

    A role waits for `stopping`, then ends what it does within the settings' `stop_grace_s`; a little later it is
    cancelled. A kept task that fails for good sets `stopping` too, and the process ends with exit code 1.

    `on_stop` is called once, before `stopping` is set.
    """

    def __init__(self, on_stop: Callable[[], None] = lambda: None) -> None:
        self.stopping = asyncio.Event()
        self.keeper = TaskKeeper(lambda failure: self.stop())
        self._on_stop = on_stop

    def stop(self) -> None:
        """Sets `stopping`."""
        if not self.stopping.is_set():
            self._on_stop()
            self.stopping.set()


Role = Callable[[Process], Awaitable[None]]


def run(name: str, role: Role, settings: Settings, *, drain_s: float = 0.0) -> int:
    """Runs a role until it returns, or until SIGTERM or SIGINT and its end; gives the exit code.

    `drain_s` is what the role waits before its grace begins.
    A second signal cuts both short. `SettingsInvalid` and `Refused` that the role raises are told without a
    traceback: they are for the operator (exit code 2).
    """
    logs.configure(settings.log_level, settings.log_format, role=name, instance=settings.instance or name)
    for written, meant in near_misses(type(settings), os.environ):
        _log.warning("unknown setting", variable=written, meant=meant)
    collect_seldom()
    with ExitStack() as stack:
        try:
            if settings.metrics_port:
                stack.callback(_metrics_page(settings).close)
            with asyncio.Runner(loop_factory=_loop_factory()) as runner:
                return runner.run(_supervise(name, role, drain_s + settings.stop_grace_s))
        except SettingsInvalid as invalid:
            for problem in invalid.problems:
                _log.error("cannot start", problem=problem)
            return UNFIT


def load_or_exit(kind: type[S]) -> S:
    """The settings from the environment. Ends the program where they are wrong: a sentence for each, exit code 2."""
    try:
        return load(kind)
    except SettingsInvalid as invalid:
        print(*invalid.problems, sep="\n", file=sys.stderr)
        sys.exit(UNFIT)


async def _supervise(name: str, role: Role, grace_s: float) -> int:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(_log_loop_error)
    # Whatever blocks the event loop, or will not be cancelled, does not keep the process alive.
    process = Process(lambda: _end_after(grace_s + _AFTER_GRACE_S + _CANCEL_S + _AFTER_GRACE_S))
    hurry = asyncio.Event()

    def on_signal(signum: signal.Signals) -> None:
        if process.stopping.is_set():
            hurry.set()
        else:
            _log.info("stopping", signal=signum.name)
            process.stop()

    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, on_signal, signum)
    task = asyncio.ensure_future(_call(role, process))
    try:
        await _first(task, process.stopping.wait())
        if not task.done():
            await _first(task, asyncio.wait_for(hurry.wait(), grace_s + _AFTER_GRACE_S))
    finally:
        await _cancel(task)
        await process.keeper.close()
        for signum in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(signum)
    return _exit_code(name, task, process)


async def _call(role: Role, process: Process) -> None:
    await role(process)


async def _first(task: asyncio.Future[None], other: Any) -> None:
    waiting = asyncio.ensure_future(other)
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def _cancel(task: asyncio.Future[None]) -> None:
    if not task.done():
        _log.warning("not ended within the grace; cutting it short")
        task.cancel()
        await asyncio.wait((task,), timeout=_CANCEL_S)


def _end_after(seconds: float) -> None:
    timer = threading.Timer(seconds, os._exit, (FAILED,))
    timer.daemon = True
    timer.start()


def _exit_code(name: str, task: asyncio.Future[None], process: Process) -> int:
    if not task.done() or task.cancelled():
        _log.error("failed", problem="the role was cancelled")
        return FAILED
    error = task.exception()
    if isinstance(error, SettingsInvalid):
        raise error
    if isinstance(error, Refused):
        _log.error("cannot run", reason=error.name, problem=error.message)
        return UNFIT
    if error is not None:
        _log.error("failed", exc_info=error)
        return FAILED
    _log.info("stopped", role=name)
    return OK if process.keeper.failure is None else FAILED


def _log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    task = context.get("task") or context.get("future")
    who = {}
    if isinstance(task, asyncio.Task):
        who = {"task": task.get_name(), "work": getattr(task.get_coro(), "__qualname__", "")}
    _log.error("event loop error", what=context.get("message"), exc_info=context.get("exception"), **who)


def _metrics_page(settings: Settings) -> MetricsPage:
    try:
        return MetricsPage(settings.metrics_host, settings.metrics_port)
    except OSError as error:
        where = f"{settings.metrics_host}:{settings.metrics_port}"
        names = f"{variable('metrics_host')}, {variable('metrics_port')}"
        raise SettingsInvalid([f"{names}: cannot listen on {where}: {error.strerror}"]) from None


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop
