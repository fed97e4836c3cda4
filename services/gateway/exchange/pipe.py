"""One bidirectional stream of bytes: what is put in goes out in batches, what comes in goes to a callback."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

import grpc
from grpc.aio import EOF, InternalError  # type: ignore[attr-defined]

from services.gateway.exchange.outbox import Outbox

_CLOSE_S: Final = 1.0


class Pipe:
    """Writes and reads a gRPC stream whose messages are bytes.

    While a write is under way, elements collect; then all go out in one message. `on_message` must not block. When the
    stream ends, for whatever reason, `on_end` is told why, once; after `close` or `abandon` nothing is called any more.
    """

    def __init__(
        self,
        stream: Any,
        name: str,
        on_message: Callable[[bytes], None],
        on_end: Callable[[str], None],
        most_bytes: int,
        on_batch: Callable[[int], None] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._stream = stream
        self._on_message = on_message
        self._on_end = on_end
        self._on_batch = on_batch
        self._outbox = Outbox(most_bytes)
        self._idle: asyncio.Future[None] | None = None
        self._ended = False
        self._reader = self._loop.create_task(self._read(), name=f"exchange-reader {name}")
        self._writer = self._loop.create_task(self._write(), name=f"exchange-writer {name}")
        for task in (self._reader, self._writer):
            task.add_done_callback(self._finished)

    def put(self, element: bytes) -> None:
        """Adds an element to the next batch."""
        self._outbox.put(element)
        if self._idle is not None:
            self._wake()

    def abandon(self) -> None:
        """Breaks the stream off at once; for an engine that does not answer."""
        self._ended = True
        self._stream.cancel()
        self._reader.cancel()
        self._writer.cancel()

    async def close(self) -> None:
        """Ends the stream in an orderly way, or breaks it off when the engine does not end it within a second."""
        self._ended = True
        self._wake()
        try:
            async with asyncio.timeout(_CLOSE_S):
                await asyncio.wait([self._writer])
                if not self._stream.done():
                    await self._stream.done_writing()
                await asyncio.wait([self._reader])
        except (TimeoutError, grpc.aio.AioRpcError, InternalError):
            pass
        finally:
            self.abandon()
        await asyncio.gather(self._writer, self._reader, return_exceptions=True)

    def _wake(self) -> None:
        idle, self._idle = self._idle, None
        if idle is not None and not idle.done():
            idle.set_result(None)

    def _end(self, why: str) -> None:
        if not self._ended:
            self._ended = True
            # The writer may wait for something to write.
            self._wake()
            self._on_end(why)

    def _finished(self, task: asyncio.Task[None]) -> None:
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            self._loop.call_exception_handler({"message": f"{task.get_name()} failed", "exception": fault})
            self._stream.cancel()
            self._end("a fault of the gateway")

    async def _write(self) -> None:
        outbox, stream = self._outbox, self._stream
        try:
            while not self._ended:
                batch, count = outbox.take()
                if not count:
                    self._idle = self._loop.create_future()
                    await self._idle
                    continue
                if self._on_batch is not None:
                    self._on_batch(count)
                await stream.write(batch)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            self._end(_text(error))

    async def _read(self) -> None:
        stream = self._stream
        try:
            while (message := await stream.read()) is not EOF:
                if self._ended:
                    continue
                self._on_message(message)
            self._end("the engine ended it")
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError) as error:
            self._end(_text(error))


def _text(error: BaseException) -> str:
    if isinstance(error, grpc.aio.AioRpcError):
        return f"{error.code().name}: {error.details()}"
    return str(error) or type(error).__name__
