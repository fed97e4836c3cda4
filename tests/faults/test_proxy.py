from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncIterator

import pytest

from tests.faults.proxy import Proxy
from tests.faults.sockets import ended


@pytest.fixture
async def echo() -> AsyncIterator[int]:
    """Greets, then sends back what it hears."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello\n")
        try:
            while data := await reader.read(1 << 16):
                writer.write(data)
        except ConnectionError:
            pass
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1]
    server.close()
    await server.wait_closed()


@pytest.fixture
async def proxy(echo: int) -> AsyncIterator[Proxy]:
    made = Proxy(echo, random.Random(1))
    await made.start()
    yield made
    await made.close()


async def test_all_bytes_pass_in_both_directions_the_servers_first_ones_too(proxy: Proxy) -> None:
    for _ in range(50):
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"early\n")
        assert await reader.readline() == b"hello\n"
        assert await reader.readline() == b"early\n"
        writer.close()


async def test_large_data_pass_unharmed(proxy: Proxy) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    await reader.readline()
    data = random.Random(2).randbytes(1 << 20)
    sending = asyncio.create_task(_send(writer, data))
    assert await reader.readexactly(len(data)) == data
    await sending
    writer.close()


async def _send(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(data)
    await writer.drain()


async def test_data_cut_a_connection_also_when_they_come_before_it_leads_anywhere(proxy: Proxy) -> None:
    # Nothing but what was said early could cut these: nobody answers.
    with socket.create_server(("127.0.0.1", 0), backlog=64) as mute:
        proxy.target = mute.getsockname()[1]
        proxy.cutting = 1.0
        for _ in range(20):
            reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
            writer.write(b"early")
            await asyncio.wait_for(ended(reader), 10)
            writer.close()
    assert proxy.cuts == 20


async def test_connections_are_cut_and_counted(proxy: Proxy) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    await reader.readline()
    proxy.cut()
    await ended(reader)
    writer.close()
    proxy.cutting = 1.0
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(b"x")
    await ended(reader)
    writer.close()
    assert proxy.cuts == 2


async def test_a_closed_proxy_lets_nobody_through(proxy: Proxy) -> None:
    proxy.open = False
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    await ended(reader)
    writer.close()
