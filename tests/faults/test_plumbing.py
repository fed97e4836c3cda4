from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from tests.faults.plumbing import Plumbing
from tests.faults.sockets import ended


async def server_saying(word: bytes) -> asyncio.Server:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(word + b"\n")
        await reader.read(1)
        writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0)


@pytest.fixture
async def targets() -> AsyncIterator[list[int]]:
    servers = [await server_saying(word) for word in (b"first", b"second")]
    yield [server.sockets[0].getsockname()[1] for server in servers]
    for server in servers:
        server.close()


@pytest.fixture
async def plumbing() -> AsyncIterator[Plumbing]:
    made = Plumbing()
    made.start(1)
    await made.connect()
    yield made
    made.close()


async def test_a_pipe_of_the_other_process_leads_to_its_target_and_then_to_another(
    plumbing: Plumbing, targets: list[int]
) -> None:
    pipe = await plumbing.pipe(targets[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", pipe.port)
    assert await reader.readline() == b"first\n"
    await pipe.lead_to(targets[1])
    await ended(reader)
    writer.close()
    reader, writer = await asyncio.open_connection("127.0.0.1", pipe.port)
    assert await reader.readline() == b"second\n"
    writer.close()


async def test_a_pipe_is_cut_at_once_or_as_data_pass(plumbing: Plumbing, targets: list[int]) -> None:
    pipe = await plumbing.pipe(targets[0])
    reader, writer = await asyncio.open_connection("127.0.0.1", pipe.port)
    await reader.readline()
    await pipe.cut()
    await ended(reader)
    writer.close()
    await pipe.cut_often(1.0)
    reader, writer = await asyncio.open_connection("127.0.0.1", pipe.port)
    writer.write(b"x")
    await ended(reader)
    writer.close()
    assert await pipe.cuts() == 2


async def test_the_other_process_ends_with_its_socket(plumbing: Plumbing) -> None:
    process = plumbing._process
    assert process is not None
    assert plumbing._writer is not None
    plumbing._writer.close()
    assert await asyncio.to_thread(process.wait, 30) == 0
