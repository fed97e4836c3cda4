"""Calls and watches over one batched stream to one engine replica."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from google.protobuf.message import DecodeError
from hamle.engine.v1.engine_pb2 import ExchangeResponse
from hamle.error.v1.error_pb2 import REASON_DEADLINE_EXPIRED, REASON_OVERLOADED

from core.errors import Refused
from services.gateway.exchange import wire
from services.gateway.exchange.lost import ConnectionLost
from services.gateway.exchange.overdue import Overdue
from services.gateway.exchange.pipe import Pipe

TICK_S: Final = 0.25
_OVERLOADED_RETRY_MS: Final = 100


class Watcher(Protocol):
    """Whom the frames of a watch go to. Called from the stream's reader: must not block and must not raise."""

    def pushed(self, kind: str, seq: int, state_hash: bytes, frame: bytes) -> None:
        """A frame has come. `kind` is the field of `Frame.what`; `seq` is of the event it tells of, 0: of none."""
        ...

    def ended(self, why: Refused) -> None:
        """The engine has ended the watch."""
        ...

    def lost(self) -> None:
        """The stream is gone, and the watch with it."""
        ...


class Exchange:
    """One stream to one engine replica, until it is lost or closed.

    `alive` asks the engine by another way whether it still runs; it is called when a call has waited `stall_s` while
    nothing at all was heard, and the stream is given up when it says no. `on_lost` is called once, when the stream ends
    other than by `close`. Either way all calls have then failed with `ConnectionLost` and all watchers have been told.
    """

    def __init__(
        self,
        replica: str,
        stream: Any,
        alive: Callable[[], Awaitable[bool]],
        on_lost: Callable[[str], None],
        *,
        most_outstanding: int = 4096,
        most_bytes: int = 1 << 19,
        stall_s: float = 1.5,
        limit_s: float = 10.0,
        on_batch: Callable[[int], None] | None = None,
    ) -> None:
        self.replica = replica
        self.closed = False
        self._loop = asyncio.get_running_loop()
        self._alive = alive
        self._on_lost = on_lost
        self._most_outstanding = most_outstanding
        self._limit_ms = int(limit_s * 1000)
        self._pending: dict[int, asyncio.Future[bytes]] = {}
        self._watchers: dict[int, Watcher] = {}
        self._opening: dict[int, None] = {}
        self._next_id = 1
        self._heard = 0
        self._overdue = Overdue(stall_s, limit_s, TICK_S)
        self._checking: asyncio.Task[None] | None = None
        self._pipe = Pipe(stream, replica, self._take, self._lose, most_bytes, on_batch)
        self._ticker = self._loop.call_later(TICK_S, self._tick)

    async def ask(self, payload: bytes, timeout_ms: int) -> bytes:
        """The bytes of the answer to a call; `payload` is made by `wire.payload`.

        Raises `Refused` as the engine has it, OVERLOADED when too many calls wait already, DEADLINE_EXPIRED when no
        answer came in time, and `ConnectionLost`.
        """
        if self.closed:
            raise ConnectionLost(self.replica, "it was closed before the call")
        if len(self._pending) >= self._most_outstanding:
            raise Refused(
                REASON_OVERLOADED,
                "too many calls wait for the game's engine; try again after the delay",
                retry_after_ms=_OVERLOADED_RETRY_MS,
            )
        call_id = self._next_id
        self._next_id = call_id + 1
        answer: asyncio.Future[bytes] = self._loop.create_future()
        self._pending[call_id] = answer
        self._pipe.put(wire.call(call_id, timeout_ms if timeout_ms < self._limit_ms else self._limit_ms, payload))
        try:
            return await answer
        except asyncio.CancelledError:
            self._pending.pop(call_id, None)
            raise

    def watch(self, payload: bytes, watcher: Watcher) -> int:
        """Begins a watch and gives its id; frames go to the watcher until `unwatch`, `ended` or `lost`."""
        if self.closed:
            raise ConnectionLost(self.replica, "it was closed before the watch")
        call_id = self._take_id()
        self._watchers[call_id] = watcher
        self._opening[call_id] = None
        self._pipe.put(wire.call(call_id, 0, payload))
        return call_id

    def unwatch(self, call_id: int) -> None:
        """Ends a watch; nothing more is pushed to its watcher. A watch that is over already is let be."""
        self._opening.pop(call_id, None)
        if self._watchers.pop(call_id, None) is not None and not self.closed:
            self._pipe.put(wire.unwatch(call_id))

    @property
    def outstanding(self) -> int:
        """How many calls wait for their answers."""
        return len(self._pending)

    @property
    def watches(self) -> int:
        """How many watches go over this stream."""
        return len(self._watchers)

    async def close(self) -> None:
        """Fails what is outstanding and ends the stream."""
        self._fail("the gateway closed it")
        await self._pipe.close()
        if self._checking is not None:
            self._checking.cancel()
            await asyncio.gather(self._checking, return_exceptions=True)

    def _take_id(self) -> int:
        call_id = self._next_id
        self._next_id = call_id + 1
        return call_id

    def _lose(self, why: str) -> None:
        if not self.closed:
            self._fail(why)
            self._on_lost(why)

    def _fail(self, why: str) -> None:
        self.closed = True
        self._ticker.cancel()
        pending, self._pending = self._pending, {}
        watchers, self._watchers = self._watchers, {}
        self._opening.clear()
        for answer in pending.values():
            if not answer.done():
                answer.set_exception(ConnectionLost(self.replica, why))
        for watcher in watchers.values():
            watcher.lost()

    def _take(self, message: bytes) -> None:
        self._heard += 1
        try:
            response = ExchangeResponse.FromString(message)
        except DecodeError:
            self._pipe.abandon()
            self._lose("the engine sent bytes that are not an ExchangeResponse")
            return
        pending = self._pending
        for answer in response.answers:
            waiting = pending.pop(answer.id, None)
            if waiting is None or waiting.done():
                continue
            data = answer.response
            if not data and answer.HasField("rejection"):
                waiting.set_exception(Refused.from_proto(answer.rejection))
            else:
                waiting.set_result(data)
        opening, watchers = self._opening, self._watchers
        for push in response.pushes:
            # Of a repeated field a slice comes at a fifth of the price of iterating over it.
            ids, frame = push.ids[:], push.frame
            if opening:
                for call_id in ids:
                    opening.pop(call_id, None)
            if frame:
                kind, cursor = wire.frame_kind(frame), push.cursor
                seq, state_hash = cursor.seq, cursor.hash
                for call_id in ids:
                    if (watcher := watchers.get(call_id)) is not None:
                        watcher.pushed(kind, seq, state_hash, frame)
            else:
                why = Refused.from_proto(push.rejection)
                for call_id in ids:
                    if (watcher := watchers.pop(call_id, None)) is not None:
                        watcher.ended(why)

    def _tick(self) -> None:
        now, overdue = self._loop.time(), self._overdue
        overdue.tick(now, self._next_id, self._heard)
        oldest = min(next(iter(self._pending), self._next_id), next(iter(self._opening), self._next_id))
        if self._checking is None and overdue.stalled(now, oldest, self._heard):
            self._checking = self._loop.create_task(self._check(), name=f"exchange-check {self.replica}")
        limit = overdue.given_up(now)
        for call_id in [call_id for call_id in self._pending if call_id < limit]:
            waiting = self._pending.pop(call_id)
            if not waiting.done():
                waiting.set_exception(
                    Refused(
                        REASON_DEADLINE_EXPIRED,
                        "the engine has not answered in time; whether it was done is unknown: retry with the same "
                        "request id",
                    )
                )
        self._ticker = self._loop.call_later(TICK_S, self._tick)

    async def _check(self) -> None:
        try:
            alive = await self._alive()
        finally:
            self._checking = None
        if not alive and not self.closed:
            self._pipe.abandon()
            self._lose("the engine has stopped answering")
