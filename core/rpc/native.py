"""The pygrpc-native server with some of its habits changed.

It uses private names of pygrpc-native 0.5.0, so the version is pinned, and a test fails when the names are gone.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

import grpc
from pygrpc_native._native import EVENT_CANCEL, STREAM_CLOSED, STREAM_FULL
from pygrpc_native.aio import Server, _Call, _Context

from core.process.eager import begin

VERSION: Final = "0.5.0"
_IO_THREADS = 1
"""One keeps up with any Python program; a second costs a move a seventh of the gateway's CPU in switching."""
_FINE: Final = (None, grpc.StatusCode.OK)
_TURN = 32
"""After so many answers a stream lets others have their turn."""
_FLUSH_S = 2.0
"""How long a stopping server waits, within its grace, for what clients are slow to read."""
_LOOK_S = 0.005
_FIRST_PAUSE_S = 0.001
_LONGEST_PAUSE_S = 0.1


class NativeServer(Server):  # type: ignore[misc]
    """A `grpc.aio.Server` whose HTTP/2 work is done in Rust.

    As published, a stream whose reader is slow waits on a thread of the event loop's pool; eight such readers stop
    every other slow stream and the server's own end. Here it waits on the event loop.

    As published, `write` to a stream whose client has left does nothing and returns at once, so that a servicer with
    much to say holds up the event loop for ever. Here it cancels the call, and lets other calls have their turn.

    As published, `stop` closes connections before the last answers have gone out. Here it waits until they have; a
    thread that starves may be long about it.

    As published, a unary call is a task of four coroutines that begins in the loop's next turn. Here it is of one, and
    begins at once where Python can. It knows no interceptors; its handler takes and gives bytes, as those of
    `core.rpc.handlers` do.

    An answer that cannot be serialised raises in the servicer's `write`, as in grpcio, so that `core.rpc.handlers` ends
    the call.

    What nothing here changes: a message is taken in whole, and unpacked when it is compressed, before anybody looks at
    its size. Whoever reaches the port can fill the memory, so only callers who are trusted, or who come through a proxy
    that bounds requests and takes none that are compressed, may reach it. A call without a message ends in INTERNAL,
    and one with too much metadata in HTTP's 431, before Python hears of it.
    """

    _fallback: Any

    async def stop(self, grace: float | None) -> None:
        """Takes no new calls, lets the others end within the grace and what they said go out, then closes."""
        if self._front is None or self._stopping:
            await super().stop(grace)
            return
        self._stopping: bool = True
        ending = [call.task for call in self._calls.values()]
        # grpcio crashes when a server is stopped by two at once, so the fallback is stopped here and nowhere else.
        fallback: Any = self._fallback
        self._fallback = None
        stopped = None if fallback is None else asyncio.ensure_future(fallback.stop(grace))
        clock = asyncio.get_running_loop().time
        until = clock() + (grace or 0)
        if grace and ending:
            await asyncio.wait(ending, timeout=grace)
        if stopped is not None:
            await stopped
        until = min(until, clock() + _FLUSH_S)
        while not self._all_has_gone_out() and clock() < until:  # noqa: ASYNC110 - the thread tells nobody
            await asyncio.sleep(_LOOK_S)
        self._stopping = False
        await super().stop(None)

    def _all_has_gone_out(self) -> bool:
        """Whether the thread has done with every call that it has begun."""
        methods = self._front.metrics()["methods"].values()
        return all(each["started"] == sum(end["count"] for end in each["status"].values()) for each in methods)

    def _on_events(self, events: list[tuple[Any, ...]]) -> None:
        front, calls, loop = self._front, self._calls, self._loop
        for kind, call_id, method_id, payload, _, details in events:
            if kind == EVENT_CANCEL:
                if (known := calls.get(call_id)) is not None:
                    known.cancel()
            elif self._stopping:
                front.fail(call_id, grpc.StatusCode.UNAVAILABLE.value[0], "Server is shutting down")
            else:
                method, handler = self._table[method_id]
                call = calls[call_id] = _Call(call_id, method, handler, *details)
                if call.streaming:
                    call.task = loop.create_task(self._run(call, payload))
                else:
                    call.task = begin(self._answer(call, payload), loop)

    async def _answer(self, call: Any, payload: bytes) -> None:
        context = _Context(self, call)
        try:
            taken, request = self._request(call, payload)
            if not taken:
                return
            data = await call.handler.unary_unary(request, context)
            if context._code not in _FINE:
                self._fail(call, context, None)
            elif self._within_send_limit(call, data) is not None:
                initial = context._initial_metadata
                trailing = list(context._trailing_metadata)
                self._front.respond(call.call_id, data, None if initial is None else list(initial), trailing)
        except asyncio.CancelledError:
            if not call.cancelled and not self._stopping:
                self._front.fail(call.call_id, grpc.StatusCode.CANCELLED.value[0], "Cancelled")
        except Exception as error:
            self._failed(call, context, error)
        finally:
            self._calls.pop(call.call_id, None)
            call.finish(context)

    async def _send(self, call: Any, context: Any, response: Any) -> bool:
        front = self._front
        data = self._within_send_limit(call, call.handler.response_serializer(response))
        if data is None:
            return await _gone(call)
        context._initial_sent = True
        context.sent = count = getattr(context, "sent", 0) + 1
        if count % _TURN == 0:
            await asyncio.sleep(0)
        sent = front.stream_try_send(call.call_id, data)
        pause = _FIRST_PAUSE_S
        while sent == STREAM_FULL:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)
            sent = front.stream_try_send(call.call_id, data)
        return True if sent != STREAM_CLOSED else await _gone(call)


async def _gone(call: Any) -> bool:
    call.cancel()
    await asyncio.sleep(0)
    return False


def native_server(options: list[tuple[str, Any]]) -> grpc.aio.Server:
    """A native server with grpcio's options. Unary calls and streams of answers take messages of any size."""
    server = NativeServer(options=options, io_threads=_IO_THREADS)
    # The message is in memory by now: `core.rpc.handlers` refuses it with a reason, and counts it.
    server._receive_limit = None
    # Told by them when all that was said has gone out.
    server._front_args["metrics"] = True
    return server
