from __future__ import annotations

import pytest

from core.telemetry.metrics import FRAMES
from services.gateway.watch.outlet import Outlet
from services.gateway.watch.queue import Budget, FrameQueue


async def test_what_waits_is_not_written_once_time_is_up_though_the_reader_is_quick() -> None:
    written: list[bytes] = []

    async def write(frame: bytes) -> None:
        written.append(frame)

    outlet = Outlet(None, write, FrameQueue(Budget(), 1000), FRAMES.labels("seat"), 0)
    assert outlet.queue(b"one", 1, b"")
    await outlet.flush()
    assert outlet.queue(b"two", 2, b"")
    outlet.hurry(0)
    with pytest.raises(TimeoutError):
        await outlet.flush()
    assert (written, outlet.seq, outlet.broken) == ([b"one"], 1, False)
