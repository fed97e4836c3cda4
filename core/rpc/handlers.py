"""Servicers as gRPC handlers: what every call shares, on both servers.

A servicer is a plain class with the methods of a service, each `async def Method(self, request, context)`, or an async
generator for a stream of answers. Around it, `handlers` sees to it that

- who calls is looked at before anything else: what a call brings is read only once it may call,
- bytes that do not parse end in INVALID_ARGUMENT, BYTES_UNPARSABLE, and too many of them in MESSAGE_TOO_LARGE,
- `Refused` becomes the status of its reason, any other exception INTERNAL with an incident id that the log names,
- an answer may be given as bytes already serialised, so that frames are forwarded unread,
- requests are counted and timed,
- a call is in its caller's trace, or in one that begins with it.

The parsing is done here and not by the server, whose answer to garbage would be UNKNOWN or INTERNAL.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing
from time import perf_counter
from typing import Any, TypeAlias

import grpc
from google.protobuf.message import DecodeError
from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused
from core.rpc.failures import conclude, succeeded
from core.rpc.metadata import enter_trace
from core.telemetry.metrics import RPC_REQUESTS, RPC_SECONDS

Guard = Callable[[Any], None]
"""Looks at a call's context before anything is parsed; raises `Refused` to end it."""
Door = Callable[[Any], Any]
"""A guard of one method. What it answers, who calls say, is the method's third argument."""

Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Handlers: TypeAlias = dict[str, Handler]
Read: TypeAlias = Callable[[Any], Any]


class _Recorder:
    """Stands in for a server, to learn what generated code would register."""

    def __init__(self) -> None:
        self.services: dict[str, Handlers] = {}

    def add_generic_rpc_handlers(self, generic: object) -> None:
        """Said again by the next."""

    def add_registered_method_handlers(self, service: str, handlers: Handlers) -> None:
        self.services[service] = handlers


def handlers(
    add_to_server: Callable[[Any, Any], None],
    servicer: object,
    *,
    guard: Guard | None = None,
    doors: Mapping[str, Door] | None = None,
    unparsed: Collection[str] = (),
    most_bytes: int | None = None,
) -> Mapping[str, Handlers]:
    """The servicer's handlers, by service and method.

    `add_to_server` is the generated `add_<Service>Servicer_to_server`. A `guard` stands before all methods; `doors`
    hold one for each, and then no method may be without. Methods named in `unparsed` get their requests as bytes and
    must parse them with `parse`. Requests of more than `most_bytes` are refused; None: all are taken.
    """
    recorder = _Recorder()
    add_to_server(servicer, recorder)
    return {
        service: {
            name: _wrap(
                f"{service}/{name}",
                handler,
                guard,
                None if doors is None else doors[name],
                _reader(handler, name in unparsed, most_bytes),
            )
            for name, handler in found.items()
        }
        for service, found in recorder.services.items()
    }


def parse(from_bytes: Callable[[bytes], Any], data: bytes) -> Any:
    """The message in the bytes. Raises `Refused` with BYTES_UNPARSABLE."""
    try:
        return from_bytes(data)
    except DecodeError:
        raise Refused(
            Reason.REASON_BYTES_UNPARSABLE,
            "the bytes are not a message of the method's request type; expected protobuf, with all text in UTF-8",
        ) from None


def dump(answer: Any) -> bytes:
    """The bytes of an answer: a message, or bytes that are passed on as they are."""
    return answer if type(answer) is bytes else answer.SerializeToString()


def _reader(handler: Handler, unparsed: bool, most_bytes: int | None) -> Read:
    from_bytes = None if unparsed else handler.request_deserializer
    most = float("inf") if most_bytes is None else most_bytes

    def read(data: bytes) -> Any:
        if len(data) > most:
            raise Refused(
                Reason.REASON_MESSAGE_TOO_LARGE,
                f"the message has {len(data)} bytes; this server takes {most}: send less at a time",
                {"limit_bytes": str(most)},
            )
        return data if from_bytes is None else parse(from_bytes, data)

    return read


def _wrap(method: str, handler: Handler, guard: Guard | None, door: Door | None, read: Read) -> Handler:
    if handler.request_streaming and handler.response_streaming:
        wrapped = _streaming(method, handler.stream_stream, guard, door, lambda data: _messages(read, data))
        return grpc.stream_stream_rpc_method_handler(wrapped, None, dump)
    if handler.request_streaming:
        wrapped = _unary(method, handler.stream_unary, guard, door, lambda data: _messages(read, data))
        return grpc.stream_unary_rpc_method_handler(wrapped)
    if handler.response_streaming:
        wrapped = _streaming(method, handler.unary_stream, guard, door, read)
        return grpc.unary_stream_rpc_method_handler(wrapped, None, dump)
    wrapped = _unary(method, handler.unary_unary, guard, door, read)
    return grpc.unary_unary_rpc_method_handler(wrapped)


def _unary(method: str, function: Any, guard: Guard | None, door: Door | None, read: Read) -> Any:
    answered = RPC_REQUESTS.labels(method, "OK")
    seconds = RPC_SECONDS.labels(method)

    async def unary(data: Any, context: Any) -> bytes:
        began = perf_counter()
        request = None
        try:
            enter_trace(context)
            if guard is not None:
                guard(context)
            if door is None:
                request = read(data)
                answer = dump(await function(request, context))
            else:
                caller = door(context)
                request = read(data)
                answer = dump(await function(request, context, caller))
        except BaseException as error:
            await conclude(method, context, error, request)
            raise
        succeeded(method, context, answered)
        seconds.observe(perf_counter() - began)
        return answer

    return unary


def _streaming(method: str, function: Any, guard: Guard | None, door: Door | None, read: Read) -> Any:
    answered = RPC_REQUESTS.labels(method, "OK")
    generates = inspect.isasyncgenfunction(function)

    async def streaming(data: Any, context: Any) -> None:
        request = None
        try:
            enter_trace(context)
            if guard is not None:
                guard(context)
            caller = () if door is None else (door(context),)
            request = read(data)
            if generates:
                async with aclosing(function(request, context, *caller)) as answers:
                    async for answer in answers:
                        await context.write(answer)
            else:
                await function(request, context, *caller)
        except BaseException as error:
            await conclude(method, context, error, request)
            raise
        succeeded(method, context, answered)

    return streaming


async def _messages(read: Read, stream: AsyncIterator[bytes]) -> AsyncIterator[Any]:
    async for data in stream:
        yield read(data)
