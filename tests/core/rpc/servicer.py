"""Plain servicers that do on demand what real ones do, for the tests of what is around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
from hamle.engine.v1 import engine_pb2 as engine
from hamle.error.v1.error_pb2 import Reason
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1 import play_pb2 as play

from core.errors import Refused

STALE = Refused(
    Reason.REASON_STALE_VIEW,
    "you decided on event 3;\nlook at event 4 and decide again (ş)",
    {"expected_seq": "3", "decision_seq": "4", "head_seq": "9"},
    retry_after_ms=1500,
)
ANSWER = play.SubmitMovesResponse(durability=2)  # type: ignore[arg-type]
FRAME = play.WatchMatchResponse()
FRAME.frame.heartbeat.at_ms = 7
BIG_FRAME = play.WatchMatchResponse()
BIG_FRAME.frame.moved.reason = "x" * 60_000


class Secretive(Exception):
    """Its text must not reach a client."""


class Play:
    """`match_id` says what the call does; see the names of the methods' branches."""

    def __init__(self) -> None:
        self.begun = asyncio.Semaphore(0)
        self.ended: asyncio.Queue[str] = asyncio.Queue()
        self.requests: list[Any] = []
        self.farewell = asyncio.Event()

    async def SubmitMoves(self, request: play.SubmitMovesRequest, context: Any) -> Any:
        what = request.match_id
        if what == "bytes":
            return ANSWER.SerializeToString()
        if what == "refused":
            context.set_trailing_metadata((("x-limit", "3"),))
            raise STALE
        if what == "fault":
            raise Secretive("hunter2")
        if what == "leaked cancellation":
            raise asyncio.CancelledError
        if what == "no message":
            return 3
        if what == "abort":
            await context.abort(grpc.StatusCode.NOT_FOUND, "nowhere")
        if what == "too large":
            return play.SubmitMovesResponse(cursor=Cursor(hash=bytes(1 << 21)))
        if what == "wait":
            await self._wait()
        return ANSWER

    async def ListChoices(self, request: bytes, context: Any) -> bytes:
        self.requests.append(request)
        return request

    async def GetView(self, request: play.GetViewRequest, context: Any) -> Any:
        context.set_code(grpc.StatusCode.DATA_LOSS)
        context.set_details("by hand")
        return play.GetViewResponse()

    async def UndoMoves(self, request: Any, context: Any) -> Any:
        raise NotImplementedError

    async def Resign(self, request: Any, context: Any) -> Any:
        raise NotImplementedError

    async def WatchMatch(self, request: play.WatchMatchRequest, context: Any) -> AsyncIterator[Any]:
        what = request.match_id
        try:
            yield FRAME
            yield FRAME.SerializeToString()
            if what == "refused":
                raise STALE
            if what == "fault":
                raise Secretive("hunter2")
            if what == "no message":
                yield 3
            if what == "wait":
                await self._wait()
            if what == "farewell":
                await self.farewell.wait()
                yield BIG_FRAME
                yield FRAME
            while what == "flood":
                yield BIG_FRAME
            while what == "impatient":
                try:
                    await asyncio.wait_for(context.write(BIG_FRAME), 0.2)
                except TimeoutError:
                    raise Refused(Reason.REASON_WATCHER_TOO_SLOW, "read faster, or watch again") from None
        finally:
            self.ended.put_nowait(what)

    async def _wait(self) -> None:
        self.begun.release()
        await asyncio.Event().wait()


class Engine:
    """Answers only what streams in both directions need, and one call behind a guard."""

    def __getattr__(self, name: str) -> Any:
        async def unimplemented(request: Any, context: Any) -> Any:
            raise NotImplementedError(name)

        return unimplemented

    async def DescribeGame(self, request: engine.DescribeGameRequest, context: Any) -> Any:
        return engine.DescribeGameResponse()

    async def Exchange(self, requests: AsyncIterator[engine.ExchangeRequest], context: Any) -> AsyncIterator[Any]:
        async for request in requests:
            for call in request.calls:
                if call.id == 99:
                    raise STALE
                if call.id == 98:
                    raise Secretive("hunter2")
            yield engine.ExchangeResponse(answers=[engine.Answer(id=call.id) for call in request.calls])
