"""Servers of a command's own: started for it, ended with it, nothing left behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

from cli.errors import Stop
from cli.options import address
from cli.output import progress
from deploy.local.fleet import Fleet, Plan, StartFailed


@contextmanager
def own_fleet(plan: Plan | None = None, **changes: Any) -> Iterator[Fleet]:
    """A fleet over a temporary folder while the block runs; `changes` are fields of its `Plan`.

    A SIGTERM ends the block, and with it the fleet. Raises Stop when the fleet does not come up.
    """
    with TemporaryDirectory(prefix="hamle-") as folder, _terminable():
        wanted = replace(plan or Plan(Path(folder)), **{**changes, "data": Path(folder)})
        fleet = Fleet(wanted)
        try:
            with progress("starting servers"):
                fleet.start()
        except StartFailed as failed:
            raise Stop(str(failed)) from failed
        try:
            yield fleet
        finally:
            fleet.stop()


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
def _terminable() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
