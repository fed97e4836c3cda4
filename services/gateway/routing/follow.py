"""Keeps the directory up to date with what engines announce in the store."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from google.protobuf.message import DecodeError

from core.errors import Refused
from core.fleet.announcements import read_announcements
from core.store.outage import Outage
from core.telemetry import logs
from services.gateway.routing.directory import Directory

EVERY_S: Final = 0.25
_READ_S: Final = 2.0
_log = logs.get_logger("hamle.gateway")


async def refresh(directory: Directory, store: Any, outage: Outage | None = None) -> bool:
    """Reads the announcements once; False when the store did not answer, and then the directory stays as it is.

    `outage` keeps what was told of that; None: it is told anew.
    """
    outage = outage or _outage()
    try:
        async with asyncio.timeout(_READ_S):
            announcements = await read_announcements(store)
    except (Refused, TimeoutError, DecodeError) as error:
        outage.begins(error.name if isinstance(error, Refused) else type(error).__name__)
        directory.blind()
        return False
    outage.ends()
    directory.update(announcements)
    return True


async def follow(directory: Directory, store: Any) -> None:
    """Refreshes the directory four times a second until cancelled."""
    outage = _outage()
    while True:
        await asyncio.sleep(EVERY_S)
        await refresh(directory, store, outage)


def _outage() -> Outage:
    return Outage(_log, "announcements not read; going on with what is known", "announcements are read again")
