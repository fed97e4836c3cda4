"""Calls made again until they end as they must, since servers find out by and by what has become of their store."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc

from tests.e2e.bad_input.refusal import Refusal, refusal_of

LONG_S: Final = 60.0
_PASSING: Final = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.FAILED_PRECONDITION)


async def until_done(call: Callable[[], Awaitable[Any]]) -> Any:
    """The answer; the refusals before it must be of those that pass."""
    async with asyncio.timeout(LONG_S):
        while True:
            try:
                return await call()
            except grpc.aio.AioRpcError as error:
                require_passing(error)
            await asyncio.sleep(0.05)


async def until_refused(call: Callable[[], Awaitable[Any]], reason: str) -> Refusal:
    """The refusal with the reason; those before it must be of those that pass, and nothing may be done."""
    async with asyncio.timeout(LONG_S):
        while True:
            try:
                answer = await call()
            except grpc.aio.AioRpcError as error:
                refusal = refusal_of(error)
                if refusal.reason == reason:
                    return refusal
                require_passing(error)
            else:
                raise AssertionError(f"it was done: {answer}")
            await asyncio.sleep(0.05)


def require_passing(error: grpc.aio.AioRpcError) -> None:
    """Fails unless the same call may be answered later."""
    assert refusal_of(error).retry_ms > 0 or error.code() in _PASSING, error
