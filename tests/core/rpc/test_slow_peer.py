"""A peer that is so busy that it is slow to answer a new connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from core.rpc.client import channel
from core.rpc.server import RpcServer

SLOW_S = 0.8


@pytest.fixture
async def slow_port(server: RpcServer) -> AsyncIterator[int]:
    """Leads to the server; what is said over a new connection arrives late."""
    tasks: set[asyncio.Task[None]] = set()

    async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            writer.write(data)
        writer.close()

    async def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(SLOW_S)
        there, back = await asyncio.open_connection("127.0.0.1", server.port)
        for way in (copy(reader, back), copy(there, writer)):
            task = asyncio.create_task(way)
            tasks.add(task)

    slow = await asyncio.start_server(accept, "127.0.0.1", 0)
    yield slow.sockets[0].getsockname()[1]
    slow.close()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def test_a_peer_that_is_slow_to_answer_a_connection_is_reached(slow_port: int) -> None:
    async with channel(f"127.0.0.1:{slow_port}") as wire:
        answer = await health_pb2_grpc.HealthStub(wire).Check(health_pb2.HealthCheckRequest(), timeout=30)
    assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_peer_that_is_gone_is_known_to_be_gone(serve: Any) -> None:
    server = await serve()
    async with channel(f"127.0.0.1:{server.port}") as wire:
        health = health_pb2_grpc.HealthStub(wire)
        await health.Check(health_pb2.HealthCheckRequest(), timeout=30)
        await server.stop(0)
        with pytest.raises(grpc.aio.AioRpcError) as gone:
            await health.Check(health_pb2.HealthCheckRequest(), timeout=30)
    assert gone.value.code() is grpc.StatusCode.UNAVAILABLE
