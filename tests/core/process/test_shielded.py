from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from hamle.error.v1 import error_pb2
from structlog.testing import capture_logs

from core.errors import Refused
from core.process.shielded import shielded

REFUSED = Refused(error_pb2.REASON_LOG_LOST_TAIL, "lost", {})


async def _gives(result: object, go: asyncio.Event) -> object:
    await go.wait()
    if isinstance(result, Exception):
        raise result
    return result


async def _abandoned(result: object) -> tuple[list[Any], list[Any]]:
    """What is logged, and what the event loop complains of, when nobody waits for the result any more."""
    complaints: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    go = asyncio.Event()
    waiting = asyncio.create_task(shielded(_gives(result, go)))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    with capture_logs() as lines:
        go.set()
        for _ in range(4):
            await asyncio.sleep(0)
        gc.collect()
    return lines, complaints


async def test_who_waits_gets_what_the_work_gives_or_raises() -> None:
    go = asyncio.Event()
    go.set()
    assert await shielded(_gives(7, go)) == 7
    with pytest.raises(Refused, match="lost"):
        await shielded(_gives(REFUSED, go))


@pytest.mark.parametrize("result", [7, REFUSED])
async def test_a_refusal_that_nobody_waits_for_any_more_is_no_error(result: object) -> None:
    assert await _abandoned(result) == ([], [])


async def test_any_other_failure_that_nobody_waits_for_goes_to_the_log() -> None:
    lines, complaints = await _abandoned(ValueError("broken"))
    assert [line["event"] for line in lines] == ["failed after nobody waited any more"]
    assert complaints == []
