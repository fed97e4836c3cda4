"""What is wrong below the messages: their number, their frames, the metadata; and the services that are not Hamle's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from typing import Any

import grpc
import pytest
from structlog.testing import capture_logs

from core.rpc.client import refusal_of
from core.rpc.server import RpcServer
from tests.core.rpc.frames import message, sent
from tests.core.rpc.servicer import ANSWER, Play
from tests.core.rpc.test_calls import PLAY, SUBMIT, WATCH, submit
from tests.support.waiting import until

HEALTH = "/grpc.health.v1.Health"
REFLECTION = ("v1", "v1alpha")
DEADLINES_S = {"native": None, "grpcio": 0.5}
"""grpcio leaves a call that brings no message to its deadline."""


async def messages(*sent: bytes) -> AsyncIterator[bytes]:
    for one in sent:
        yield one


async def failure(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


async def ending(call: Any) -> grpc.aio.AioRpcError | None:
    """How the call fails; None when it brings an answer."""
    try:
        assert isinstance(await call, bytes)
    except grpc.aio.AioRpcError as error:
        return error
    return None


def reason(error: grpc.aio.AioRpcError) -> str | None:
    refused = refusal_of(error)
    return None if refused is None else refused.name


async def test_a_call_without_a_message_is_not_begun(wire: Any, kind: str) -> None:
    ends = {"native": grpc.StatusCode.INTERNAL, "grpcio": grpc.StatusCode.DEADLINE_EXCEEDED}
    with capture_logs() as logged:
        unary = wire.stream_unary(SUBMIT, None, None)(messages(), timeout=DEADLINES_S[kind])
        stream = wire.stream_stream(WATCH, None, None)(messages(), timeout=DEADLINES_S[kind])
        for call in (unary, stream.read()):
            assert (await failure(call)).code() is ends[kind]
    assert logged == []
    assert await submit(wire, "") == ANSWER


async def test_of_several_messages_the_first_is_taken(wire: Any) -> None:
    unary = wire.stream_unary(SUBMIT, None, None)(messages(b"", b"\xff"))
    assert await unary == ANSWER.SerializeToString()
    stream = wire.stream_stream(WATCH, None, None)(messages(b"", b"\xff"))
    assert await stream.read()
    stream.cancel()


async def test_metadata_that_is_too_large_does_not_reach_the_method(wire: Any, kind: str) -> None:
    ends = {"native": grpc.StatusCode.UNKNOWN, "grpcio": grpc.StatusCode.RESOURCE_EXHAUSTED}
    large = (("x-large", "x" * 20_000),)
    error = await failure(wire.unary_unary(SUBMIT, None, None)(b"", metadata=large))
    assert error.code() is ends[kind]
    assert refusal_of(error) is None
    assert await submit(wire, "") == ANSWER


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00",
        message(b"")[:4],
        message(b"", length=10),
        message(b"ab", length=1),
        message(b"", length=0xFFFF_FFFF),
        message(b"x", flag=1),
        message(b"x", flag=7),
        b"\xff" * 100,
    ],
    ids=lambda body: body.hex()[:20] or "nothing",
)
async def test_broken_frames_harm_nobody(server: RpcServer, wire: Any, body: bytes) -> None:
    with capture_logs() as logged:
        for path in (SUBMIT, WATCH, f"{HEALTH}/Check"):
            async with sent(server.port, path, body):
                assert await submit(wire, "") == ANSWER
    assert logged == []


async def test_frames_that_are_whole_reach_the_method(server: RpcServer, play: Play) -> None:
    async with sent(server.port, f"/{PLAY}/ListChoices", message(b"by hand")):
        await until(lambda: bool(play.requests))
    assert play.requests == [b"by hand"]


async def test_an_unknown_method_is_unimplemented_without_a_reason(wire: Any) -> None:
    for path in (f"/{PLAY}/Nothing", "/hamle.none.v1.NoService/Nothing"):
        error = await failure(wire.unary_unary(path, None, None)(b""))
        assert error.code() is grpc.StatusCode.UNIMPLEMENTED
        assert refusal_of(error) is None


@pytest.mark.parametrize("method", ["Check", "List", "Watch"])
async def test_health_takes_or_refuses_any_bytes(wire: Any, method: str) -> None:
    random = Random(7)
    for data in (b"\xff", b"\x0b", *(random.randbytes(random.randrange(1, 20)) for _ in range(50))):
        if method == "Watch":
            call = wire.unary_stream(f"{HEALTH}/{method}", None, None)(data)
            answer = call.read()
        else:
            answer = wire.unary_unary(f"{HEALTH}/{method}", None, None)(data)
            call = answer
        error = await ending(answer)
        # Not to know a service is NOT_FOUND by the protocol of Health, without a reason of Hamle's.
        assert error is None or error.code() is grpc.StatusCode.NOT_FOUND or reason(error) == "BYTES_UNPARSABLE"
        call.cancel()


async def test_health_refuses_what_is_too_large(wire: Any) -> None:
    error = await failure(wire.unary_unary(f"{HEALTH}/Check", None, None)(bytes(1 << 21)))
    assert reason(error) == "MESSAGE_TOO_LARGE"


@pytest.mark.parametrize("version", REFLECTION)
async def test_reflection_answers_or_refuses_any_bytes(wire: Any, version: str) -> None:
    random = Random(7)
    path = f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo"
    for data in (b"\xff", b"", b"\x1a\x01x", *(random.randbytes(random.randrange(1, 20)) for _ in range(50))):
        call = wire.stream_stream(path, None, None)(messages(data))
        error = await ending(call.read())
        assert error is None or reason(error) == "BYTES_UNPARSABLE"
        call.cancel()
