"""Appends without a future: who sent one is called back, later and whatever the others do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from hamle.error.v1.error_pb2 import REASON_SHUTTING_DOWN

from core.errors import Refused
from core.log.appender import Appender
from core.log.types import Appended, Conflict, Cursor
from tests.core.log.logs import append_after, digest, match
from tests.support.servers import StoreServer

StartServer = Callable[..., StoreServer]


async def test_everybody_is_told_in_order_also_when_one_of_them_fails(start_server: StartServer) -> None:
    told: list[tuple[str, Appended | Exception]] = []
    failed: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: failed.append(context))

    def fail(_: Appended | Exception) -> None:
        raise RuntimeError("the caller is broken")

    async with Appender(start_server().settings()) as appender:
        appender.send(append_after(match("a")), lambda result: told.append(("a", result)))
        appender.send(append_after(match("b")), fail)
        appender.send(append_after(match("c")), lambda result: told.append(("c", result)))
        assert not told
        await appender.append(append_after(match("d")))
    assert [(name, isinstance(result, Appended) and result.head) for name, result in told] == [
        ("a", Cursor(1, digest(1))),
        ("c", Cursor(1, digest(1))),
    ]
    assert [str(context["exception"]) for context in failed] == ["the caller is broken"]


async def test_a_refusal_comes_later_too(start_server: StartServer) -> None:
    told: list[Appended | Exception] = []
    async with Appender(start_server().settings()) as appender:
        await appender.append(append_after(match()))
        appender.send(append_after(match()), told.append)
        await appender.append(append_after(match("another")))
        await asyncio.sleep(0)
        assert isinstance(told[0], Conflict)
    appender.send(append_after(match()), told.append)
    assert len(told) == 1
    await asyncio.sleep(0)
    assert isinstance(told[1], Refused)
    assert told[1].reason == REASON_SHUTTING_DOWN
