"""A fault in the write path itself: whoever waits is told, whatever else fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import REASON_INTERNAL

from core.errors import Refused
from core.log import lanes
from core.log.appender import Appender
from core.log.link import Link
from tests.core.log.logs import append_after, match
from tests.support.servers import StoreServer

StartServer = Callable[..., StoreServer]


class _Broken:
    def error(self, *args: Any, **kw: Any) -> None:
        raise RuntimeError("the log of the process is broken too")


async def _crash(self: Link) -> None:
    raise RuntimeError("a fault")


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "_log", _Broken())


async def test_connecting_ends_when_the_write_path_crashes(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    monkeypatch.setattr(Link, "run", _crash)
    with pytest.raises(RuntimeError, match="a fault"):
        async with asyncio.timeout(10), Appender(start_server().settings()):
            pytest.fail("it is connected")


async def test_an_append_is_refused_when_the_write_path_has_crashed_though_nobody_can_say_so(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.get_running_loop().set_exception_handler(lambda *_: None)
    server = start_server()

    def crash(self: Link, *_: Any) -> None:
        raise RuntimeError("a fault")

    async def use() -> None:
        async with asyncio.timeout(20), Appender(server.settings()) as appender:
            await appender.append(append_after(match()))
            monkeypatch.setattr(Link, "_down", crash)
            server.kill()
            with pytest.raises(RuntimeError, match="a fault"):
                await appender.watch()
            with pytest.raises(Refused) as refused:
                await appender.append(append_after(match("another")))
            assert refused.value.reason == REASON_INTERNAL

    with pytest.raises(RuntimeError, match="a fault"):
        await use()
