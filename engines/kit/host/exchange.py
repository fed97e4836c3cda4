"""The batched stream of one gateway: calls come in, answers and frames go out, in any order."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.log.types import Conflict
from core.process.eager import begin
from core.rpc.failures import incident
from core.telemetry import logs
from engines.kit.host.begin import Watches
from engines.kit.host.commands import Commands
from engines.kit.host.outbox import Outbox
from engines.kit.host.reads import Reads
from engines.kit.host.short_way import ShortWay
from engines.kit.host.warm import WarmMatch

_METHODS: Final = {"execute": "Execute", "get_view": "GetView", "list_choices": "ListChoices", "watch": "WatchMatch"}
"""The method of EngineService that each kind of call stands for, as metrics and the log name it."""

MAX_CALLS: Final = 10_000
"""Calls of a stream that wait for something, watches that begin among them; what ends a watch is always taken."""
FINISH_S: Final = 5.0

_log = logs.get_logger("hamle.engine")


class Exchange:
    """Serves one gateway until it goes away or the engine stops."""

    def __init__(self, commands: Commands, short_way: ShortWay, reads: Reads, watches: Watches) -> None:
        self._commands = commands
        self._short_way = short_way
        self._reads = reads
        self._watches = watches
        self._outbox = Outbox()
        self._tasks: set[asyncio.Task[None]] = set()
        self._watching: dict[int, tuple[WarmMatch, object] | None] = {}
        self._loop = asyncio.get_running_loop()
        self._calls: dict[str, Callable[[engine_pb2.Call], None]] = {
            "execute": self._execute,
            "get_view": self._get_view,
            "list_choices": self._list_choices,
            "watch": self._watch,
            "unwatch": self._unwatch,
        }

    async def serve(self, requests: AsyncIterator[engine_pb2.ExchangeRequest], context: Any) -> None:
        """Runs the stream to its end; leaves no task and no watch behind."""
        taking = asyncio.create_task(self._take(requests), name="exchange requests")
        try:
            while (batch := await self._outbox.take()) is not None:
                await context.write(batch)
            if self._outbox.full:
                _log.warning("gateway does not read its stream; ended")
        finally:
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
            if self._tasks:
                # A command under way is finished although nobody hears of it: its caller asks again.
                _, late = await asyncio.wait(self._tasks, timeout=FINISH_S)
                for task in late:
                    task.cancel()
            for watched in self._watching.values():
                if watched is not None:
                    self._watches.end(*watched)
            self._watching.clear()
        if not taking.cancelled():
            # What the gateway sent may be no batch of calls; it is told once everything else is.
            taking.result()

    def close(self) -> None:
        """Ends the stream once what waits is sent."""
        self._outbox.close()

    async def _take(self, requests: AsyncIterator[engine_pb2.ExchangeRequest]) -> None:
        try:
            async for batch in requests:
                for call in batch.calls:
                    kind = call.WhichOneof("call") or ""
                    begin = self._calls.get(kind)
                    if begin is None:
                        self._outbox.refuse(call.id, _unknown_call())
                    elif len(self._tasks) < MAX_CALLS or kind == "unwatch":
                        begin(call)
                    elif kind == "watch":
                        self._outbox.end([call.id], _overloaded())
                    else:
                        self._outbox.refuse(call.id, _overloaded())
        finally:
            self._outbox.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = begin(work, self._loop)
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _ask(self, call: engine_pb2.Call, work: Awaitable[bytes]) -> None:
        self._spawn(self._answer(call, work))

    async def _answer(self, call: engine_pb2.Call, work: Awaitable[bytes]) -> None:
        try:
            self._outbox.answer(call.id, await work)
        except Refused as refused:
            self._outbox.refuse(call.id, refused)
        except Exception as error:
            self._outbox.refuse(call.id, self._incident(call, error))

    def _execute(self, call: engine_pb2.Call) -> None:
        timeout_ms = call.timeout_ms
        expires = time.monotonic() + timeout_ms / 1000 if timeout_ms else None
        if not self._short_way.begin(call, expires, self._executed):
            self._ask(call, self._commands.execute(call.execute, expires, call.trace))

    def _executed(self, call: engine_pb2.Call, expires: float | None, result: bytes | BaseException) -> None:
        if isinstance(result, bytes):
            if logs.debugs():
                self._commands.done(call.execute, call.trace)
            self._outbox.answer(call.id, result)
        elif isinstance(result, Conflict):
            self._ask(call, self._commands.execute(call.execute, expires, call.trace))
        elif isinstance(result, Refused):
            self._commands.refused(call.execute, call.trace, result)
            self._outbox.refuse(call.id, result)
        else:
            self._outbox.refuse(call.id, self._incident(call, result))

    def _get_view(self, call: engine_pb2.Call) -> None:
        wanted = call.get_view
        self._ask(call, _bytes(self._reads.view(wanted.match_id, wanted.handle, wanted.known)))

    def _list_choices(self, call: engine_pb2.Call) -> None:
        wanted = call.list_choices
        choices = self._reads.choices(wanted.match_id, wanted.handle, wanted.prefix, wanted.known)
        self._ask(call, _bytes(choices))

    def _watch(self, call: engine_pb2.Call) -> None:
        self._watching[call.id] = None
        self._spawn(self._begin_watch(call))

    async def _begin_watch(self, call: engine_pb2.Call) -> None:
        id = call.id
        try:
            watched = await self._watches.begin(self._outbox, id, call.watch)
        except Exception as error:
            self._watching.pop(id, None)
            self._outbox.end([id], error if isinstance(error, Refused) else self._incident(call, error))
            return
        if id in self._watching:
            self._watching[id] = watched
        else:
            self._watches.end(*watched)

    def _unwatch(self, call: engine_pb2.Call) -> None:
        watched = self._watching.pop(call.unwatch, None)
        if watched is not None:
            self._watches.end(*watched)

    def _incident(self, call: engine_pb2.Call, error: BaseException) -> Refused:
        """The refusal for an error that nobody expected; the log tells of it, and it is counted."""
        kind = call.WhichOneof("call") or ""
        asked = getattr(call, kind)
        seat = self._commands.seat(asked.match_id, asked.handle)
        return incident(
            f"hamle.engine.v1.EngineService/{_METHODS[kind]}", error, asked, trace_id=call.trace.hex(), **seat
        )


async def _bytes(work: Awaitable[Any]) -> bytes:
    return bytes((await work).SerializeToString())


def _unknown_call() -> Refused:
    return Refused(
        error_pb2.REASON_FIELD_INVALID,
        "The call is missing, or newer than this engine.",
        {"field": "call", "expected": "execute, get_view, list_choices, watch or unwatch"},
    )


def _overloaded() -> Refused:
    return Refused(
        error_pb2.REASON_OVERLOADED,
        f"{MAX_CALLS} calls of this gateway are under way. Retry with the same request id.",
        retry_after_ms=200,
    )
