"""Frames to one watcher: straight to the stream while it is read quickly, through a bounded queue while it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from core.telemetry.instruments import Count
from services.gateway.watch.direct import CLOSED, SENT, Send
from services.gateway.watch.queue import FrameQueue, Queued

Write = Callable[[bytes], Awaitable[None]]


class Outlet:
    """Sends frames in order. `seq` and `hash` name the last event that was handed to the stream.

    `send` is the direct way, where the server has one; `write` waits for a slow reader. Frames are queued while `held`
    is set, and then until the next `flush` is through. `broken`: a write was cut short, so it is unknown whether its
    frame will arrive.
    """

    __slots__ = ("_busy", "_frames", "_now", "_queue", "_send", "_until", "_write", "broken", "hash", "held", "seq")

    def __init__(self, send: Send | None, write: Write, queue: FrameQueue, frames: Count, seq: int) -> None:
        self._send = send
        self._now: Send | None = None
        self._write = write
        self._queue = queue
        self._frames = frames
        self._busy: asyncio.Timeout | None = None
        self._until: float | None = None
        self.seq = seq
        self.hash = b""
        self.held = True
        self.broken = False

    def send(self, frame: bytes, seq: int, state_hash: bytes) -> bool:
        """Sends the frame at once; False when it has to be queued. `seq` 0: it tells of no event."""
        if self._now is None:
            return False
        sent = self._now(frame)
        if sent == SENT:
            self._frames.value += 1
            if seq:
                self.seq, self.hash = seq, state_hash
            return True
        # When the watcher has gone, the server is about to cancel the call.
        return bool(sent == CLOSED)

    def queue(self, frame: bytes, seq: int, state_hash: bytes) -> bool:
        """Queues the frame for `flush`; False when the queue is full."""
        self._now = None
        return self._queue.put(Queued(frame, seq, state_hash))

    async def flush(self) -> None:
        """Writes what waits, until nothing does. Raises TimeoutError when `hurry` has cut it short."""
        queue = self._queue
        while queue:
            queued = queue.first()
            await self.write(queued.frame)
            queue.pop()
            if queued.seq:
                self.seq, self.hash = queued.seq, queued.hash
        if not self.held:
            self._now = self._send

    async def write(self, frame: bytes) -> None:
        """Writes one frame, past the queue. Raises TimeoutError when `hurry` has cut it short."""
        # A timeout that is over already lets a write through that need not wait.
        if self._until is not None and self._until <= asyncio.get_running_loop().time():
            raise TimeoutError
        try:
            async with asyncio.timeout_at(self._until) as self._busy:
                await self._write(frame)
        except TimeoutError:
            self.broken = True
            raise
        finally:
            self._busy = None
        self._frames.value += 1

    def hurry(self, after_s: float) -> None:
        """The write that is under way and all that follow have so long to end; nothing goes straight any more."""
        self._now = None
        self._until = asyncio.get_running_loop().time() + after_s
        if self._busy is not None:
            self._busy.reschedule(self._until)

    def clear(self) -> None:
        """Drops what waits."""
        self._queue.clear()
