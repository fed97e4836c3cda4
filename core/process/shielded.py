"""Work that is finished although who waited for it has gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from core.errors import Refused
from core.telemetry import logs

T = TypeVar("T")

_log = logs.get_logger("hamle.process")


async def shielded(work: Awaitable[T]) -> T:
    """What the work gives or raises. It goes on when the wait is cancelled.

    Then nobody hears what it raises: a refusal was meant for who has gone, anything else goes to the log.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.add_done_callback(_heard)
        raise


def _heard(task: asyncio.Future[T]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Refused):
        _log.error("failed after nobody waited any more", exc_info=error)
