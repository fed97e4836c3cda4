from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN
from hiredis import ReplyError

from core.errors import Refused
from core.log.appender import Appender
from core.store.settings import StoreSettings
from core.store.wire import Wire, open_wire
from tests.support.servers import StoreUnderTest


@pytest.fixture
async def wire(store_settings: StoreSettings) -> AsyncIterator[Wire]:
    opened = await open_wire(store_settings, store_settings.address)
    yield opened
    opened.close()


async def test_calls_are_answered_in_order(wire: Wire) -> None:
    answers = await asyncio.gather(*(wire.call("ECHO", str(number)) for number in range(100)))
    assert answers == [str(number).encode() for number in range(100)]


async def test_replies_of_every_kind(wire: Wire) -> None:
    assert await wire.call("SET", "k", b"\r\n\0\xff") == b"OK"
    assert await wire.call("GET", "k") == b"\r\n\0\xff"
    assert await wire.call("GET", "none") is None
    assert await wire.call("STRLEN", "k") == 4
    assert await wire.call("STRLEN", "none") == 0
    assert await wire.call("LRANGE", "none", 0, -1) == []
    assert await wire.call("LPUSH", "list", 1) == 1
    with pytest.raises(ReplyError, match="WRONGTYPE"):
        await wire.call("INCR", "list")


async def test_a_large_reply_is_put_together(wire: Wire) -> None:
    value = bytes(range(256)) * 20_000
    await wire.call("SET", "large", value)
    assert await wire.call("GET", "large") == value


async def test_a_cancelled_call_does_not_take_another_ones_reply(wire: Wire) -> None:
    first = asyncio.create_task(wire.call("ECHO", "first"))
    second = asyncio.create_task(wire.call("ECHO", "second"))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == b"second"
    assert await wire.call("ECHO", "third") == b"third"


async def test_when_the_server_closes_every_call_ends(wire: Wire, valkey_server: StoreUnderTest) -> None:
    own = await wire.call("CLIENT", "ID")
    assert isinstance(own, int)
    calls = [asyncio.create_task(wire.call("BLPOP", "never", 0)) for _ in range(3)]
    await asyncio.sleep(0.02)
    valkey_server.call("CLIENT", "KILL", "ID", own)
    for call in calls:
        with pytest.raises(ConnectionError):
            await call
    await wire.closed
    with pytest.raises(ConnectionError):
        await wire.call("PING")


async def test_a_vanished_peer_is_probed_for(wire: Wire) -> None:
    assert wire._transport is not None
    sock = wire._transport.get_extra_info("socket")
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1


@pytest.mark.parametrize(
    "answer",
    [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"", b"$-7\r\nx", b"*" + b"9" * 30 + b"\r\n", b"\x16\x03\x01\x00\x05hello"],
)
async def test_what_is_no_redis_is_refused(answer: bytes) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(10)
        writer.write(answer)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Refused) as refused:
            async with Appender(StoreSettings(f"redis://127.0.0.1:{port}")):
                pass
    assert refused.value.reason == REASON_STORE_DOWN


async def test_a_server_that_says_nothing_is_refused() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Refused) as refused:
            async with Appender(StoreSettings(f"redis://127.0.0.1:{port}", connect_timeout_s=0.2)):
                pass
    assert refused.value.reason == REASON_STORE_DOWN
