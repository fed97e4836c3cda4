"""Waiting for what must come true, without saying how soon."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from core.errors import Refused

T = TypeVar("T")

LONG_S = 60.0


async def eventually(attempt: Callable[[], Awaitable[T]], within_s: float = LONG_S) -> T:
    """The result of the first attempt that is not refused. TimeoutError when all are."""
    async with asyncio.timeout(within_s):
        while True:
            try:
                return await attempt()
            except Refused:
                await asyncio.sleep(0.01)


async def until(condition: Callable[[], bool], within_s: float = LONG_S) -> None:
    """Wait until something is so. TimeoutError when it never is."""
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what is waited for is in another process
            await asyncio.sleep(0.01)
