"""Servers of a command's own: started for it, ended with it, nothing left behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from cli.errors import Stop
from cli.options import address
from cli.output import progress
from deploy.local.errors import StartFailed
from deploy.local.fleet import Fleet, Plan
from deploy.local.store import Store


@contextmanager
def own_fleet(**changes: Any) -> Iterator[Fleet]:
    """A fleet over a temporary folder while the block runs; `changes` are fields of its `Plan`.

    A SIGTERM ends the block, and with it the fleet. Raises Stop when the fleet does not come up.
    """
    with terminable(), TemporaryDirectory(prefix="hamle-") as folder:
        fleet = Fleet(Plan(Path(folder), **changes))
        with _ended(fleet.stop):
            with progress("starting servers"):
                fleet.start()
            yield fleet


@contextmanager
def own_store(fsync: str) -> Iterator[Store]:
    """A store over a temporary folder while the block runs; `fsync` is `always` or `everysec`.

    A SIGTERM ends the block, and with it the store. Raises Stop when the store does not come up.
    """
    with terminable(), TemporaryDirectory(prefix="hamle-") as folder:
        store = Store(Path(folder) / "store", fsync, Path(folder) / "store.log")
        with _ended(store.end):
            store.start()
            yield store


@contextmanager
def _ended(end: Callable[[], None]) -> Iterator[None]:
    """Ends by `end` what the block starts. Raises Stop when it does not come up."""
    try:
        yield
    except StartFailed as failed:
        raise Stop(str(failed)) from failed
    finally:
        end()


@contextmanager
def servers(server: str | None, **changes: Any) -> Iterator[str]:
    """The server that is named, or a fleet of the block's own: all its gateways, separated by commas."""
    named = address(server)
    if named:
        yield named
        return
    with own_fleet(**changes) as fleet:
        yield ",".join(fleet.addresses)


@contextmanager
def terminable() -> Iterator[None]:
    """A SIGTERM ends the block as an exception does, so that it can clear up; exit code 143."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(number: int, frame: FrameType | None) -> None:
    # Another one is no reason not to clear up.
    signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + number)
