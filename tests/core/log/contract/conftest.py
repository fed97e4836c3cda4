"""The contract suite runs on every kind of server that Hamle promises to run on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.log.reader import RedisLogReader
from core.store.client import Client
from tests.support.servers import StoreServer, StoreUnderTest, debian_binary


@pytest.fixture(scope="session")
def debian_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StoreServer]:
    binary = debian_binary()
    if binary is None:
        pytest.skip("no redis-server on PATH")
    server = StoreServer(tmp_path_factory.mktemp("redis"), binary=binary)
    server.start()
    yield server
    server.stop()


@pytest.fixture(params=["embedded", "debian", pytest.param("container", marks=pytest.mark.container)])
def valkey_server(request: pytest.FixtureRequest) -> StoreUnderTest:
    server: StoreUnderTest = request.getfixturevalue(f"{request.param}_process")
    server.clear()
    return server


@pytest.fixture
def reader(store: Client) -> RedisLogReader:
    return RedisLogReader(store)
