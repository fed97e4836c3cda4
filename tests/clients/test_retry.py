from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_reflection.v1alpha import reflection_pb2_grpc
from grpc_reflection.v1alpha.reflection_pb2 import ServerReflectionRequest
from hamle_client import HamleError
from hamle_client.errors import from_rpc
from hamle_client.retry import Backoff, is_connection_loss, is_transient, next_delay


def error(code: grpc.StatusCode, message: str = "", reason: str = "", after: float | None = None) -> HamleError:
    return HamleError(message, code=code, reason=reason, retry_after=after)


def test_delay_doubles_up_to_the_most_and_never_spins() -> None:
    backoff = Backoff(first=0.1, most=1.0)
    assert [round(backoff.delay(n, 1.0), 3) for n in range(6)] == [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    assert backoff.delay(0, 0.0) > 0
    assert backoff.delay(10_000, 1.0) == 1.0


@pytest.mark.parametrize(
    "lost",
    [
        error(grpc.StatusCode.UNAVAILABLE),
        error(grpc.StatusCode.DEADLINE_EXCEEDED),
        error(grpc.StatusCode.CANCELLED),
        error(grpc.StatusCode.INTERNAL, "Received RST_STREAM with error code 2"),
        error(grpc.StatusCode.RESOURCE_EXHAUSTED, reason="OVERLOADED", after=0.2),
    ],
)
def test_what_may_succeed_later_is_transient(lost: HamleError) -> None:
    assert is_transient(lost)


class Gone(reflection_pb2_grpc.ServerReflectionServicer):  # type: ignore[misc]
    """Is down as soon as it is asked, before it has heard what."""

    async def ServerReflectionInfo(self, requests: Any, context: Any) -> AsyncIterator[Any]:
        await context.abort(grpc.StatusCode.UNAVAILABLE, "down")
        yield


async def test_a_server_that_ends_a_stream_while_it_is_asked_is_lost_however_grpc_tells_it() -> None:
    async def asked() -> AsyncIterator[ServerReflectionRequest]:
        for number in range(4):
            yield ServerReflectionRequest(file_by_filename=str(number))

    server = grpc.aio.server()
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(Gone(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        for _ in range(100):
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await anext(aiter(stub.ServerReflectionInfo(asked(), timeout=60)))
            assert is_transient(from_rpc(ended.value)), ended.value
    await server.stop(None)


@pytest.mark.parametrize(
    "final",
    [
        error(grpc.StatusCode.INVALID_ARGUMENT, reason="ILLEGAL_MOVE"),
        error(grpc.StatusCode.INTERNAL, "fault", reason="INTERNAL"),
        error(grpc.StatusCode.RESOURCE_EXHAUSTED, reason="STORE_OUT_OF_MEMORY"),
        error(grpc.StatusCode.DATA_LOSS, reason="LOG_LOST_TAIL"),
        error(grpc.StatusCode.ABORTED, reason="STALE_VIEW"),
    ],
)
def test_what_was_judged_is_final(final: HamleError) -> None:
    assert not is_transient(final)


def test_another_gateway_is_tried_only_when_this_one_is_gone_or_going() -> None:
    assert is_connection_loss(error(grpc.StatusCode.UNAVAILABLE))
    assert is_connection_loss(error(grpc.StatusCode.UNAVAILABLE, reason="SHUTTING_DOWN"))
    assert not is_connection_loss(error(grpc.StatusCode.UNAVAILABLE, reason="ENGINE_UNAVAILABLE"))


def test_server_says_how_long_to_wait_and_patience_bounds_it() -> None:
    asked = error(grpc.StatusCode.RESOURCE_EXHAUSTED, reason="RATE_LIMITED", after=2.0)
    common = {"retry": 0, "backoff": Backoff(), "jitter": 0.5}
    assert next_delay(asked, waited=0.0, patience=5.0, **common) == 2.0  # type: ignore[arg-type]
    assert next_delay(asked, waited=4.0, patience=5.0, **common) is None  # type: ignore[arg-type]
