"""One stream of frames, until it ends or breaks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType

import grpc
from hamle.match.v1 import match_pb2
from hamle.play.v1.play_pb2 import WatchMatchRequest, WatchMatchResponse

from hamle_client.caller import raise_if_closed
from hamle_client.connections import Connection
from hamle_client.errors import HamleError, from_rpc


class FrameStream:
    """The frames of one WatchMatch call.

    `silence` is how long, in seconds, the stream may be silent before it is given up for dead.
    """

    def __init__(
        self,
        connection: Connection,
        request: WatchMatchRequest,
        metadata: tuple[tuple[str, str], ...],
        silence: float,
    ) -> None:
        self._call = connection.play.WatchMatch(request, metadata=metadata)
        self._answers: AsyncIterator[WatchMatchResponse] = aiter(self._call)
        self._silence = silence

    async def next(self) -> match_pb2.Frame | None:
        """The next frame; None when the server has ended the stream. HamleError when it is broken or silent."""
        try:
            answer = await asyncio.wait_for(self._next(), self._silence)
        except grpc.aio.AioRpcError as failure:
            raise from_rpc(failure) from failure
        except TimeoutError as failure:
            raise HamleError(
                f"the server said nothing for {self._silence:g} s", code=grpc.StatusCode.DEADLINE_EXCEEDED
            ) from failure
        except asyncio.CancelledError:
            raise_if_closed()
            raise
        return None if answer is None else answer.frame

    async def _next(self) -> WatchMatchResponse | None:
        try:
            return await anext(self._answers)
        except StopAsyncIteration:
            return None

    async def __aenter__(self) -> FrameStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._call.cancel()
        await self._call.code()  # the call must not outlive the event loop
