"""Who calls, and how often, is looked at before what he sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from hamle.error.v1.error_pb2 import Reason
from redis.asyncio import Redis

from core.errors import Refused
from core.rpc.client import refusal_of
from services.gateway.limits import Rate
from tests.services.gateway.play.house import House, Metadata, house
from tests.services.gateway.play.test_garbage import MEANT, STREAMS

GARBAGE = b"\xff\xff\xff"
TOO_LARGE = bytes(1 << 17)
SETTINGS: dict[str, Any] = {"max_message_bytes": 1 << 16}
BURST = 3


async def sent(there: House, method: str, data: bytes, who: Metadata = ()) -> tuple[Refused, Mapping[str, Any]]:
    """How the call is refused, and its trailers."""
    path = f"/hamle.{method}"
    if method.endswith(STREAMS):
        stream: Any = there.channel.unary_stream(path, None, None)(data, metadata=who, timeout=20)
        answer = stream.read()
    else:
        answer = there.channel.unary_unary(path, None, None)(data, metadata=who, timeout=20)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await answer
    refusal = refusal_of(caught.value)
    assert refusal is not None, caught.value
    trailers: Any = caught.value.trailing_metadata()
    return refusal, dict(trailers)


async def test_garbage_without_a_token_is_refused_for_want_of_the_token(client: Redis, kind: str) -> None:
    async with house(client, kind, **SETTINGS) as there:
        bad = (("authorization", "Bearer nonsense"),)
        for method in MEANT:
            for data in (GARBAGE, TOO_LARGE):
                assert (await sent(there, method, data))[0].reason == Reason.REASON_TOKEN_MISSING
                assert (await sent(there, method, data, bad))[0].reason == Reason.REASON_TOKEN_INVALID


@pytest.mark.parametrize(
    ("data", "reason"),
    [(GARBAGE, Reason.REASON_BYTES_UNPARSABLE), (TOO_LARGE, Reason.REASON_MESSAGE_TOO_LARGE)],
    ids=["garbage", "too large"],
)
async def test_what_cannot_be_read_is_counted_and_told_what_is_left(
    client: Redis, kind: str, data: bytes, reason: Reason.ValueType
) -> None:
    async with house(client, kind, rate=Rate(0.001, BURST), **SETTINGS) as there:
        for method in MEANT:
            who = there.token(method.rpartition("/")[2])
            for left in reversed(range(BURST)):
                refusal, trailers = await sent(there, method, data, who)
                assert refusal.reason == reason
                assert (trailers["ratelimit-limit"], trailers["ratelimit-remaining"]) == (str(BURST), str(left))
            refusal, trailers = await sent(there, method, data, who)
            assert refusal.reason == Reason.REASON_RATE_LIMITED
            assert refusal.retry_after_ms > 0
            assert (trailers["ratelimit-limit"], trailers["ratelimit-remaining"]) == (str(BURST), "0")
        assert not there.first.calls


async def test_garbage_of_a_caller_without_the_scope_is_refused_for_want_of_the_scope(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        nobody = there.token("nobody", frozenset())
        for method in MEANT:
            assert (await sent(there, method, GARBAGE, nobody))[0].reason == Reason.REASON_SCOPE_MISSING
