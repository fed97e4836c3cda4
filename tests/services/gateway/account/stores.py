"""The test's store under the names that the gateway's tests use."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from core.store.client import Client
from tests.support.servers import StoreUnderTest


@pytest.fixture
def valkey(valkey_server: StoreUnderTest) -> StoreUnderTest:
    return valkey_server


@pytest.fixture
def client(store: Client) -> Redis:
    assert isinstance(store, Redis)
    return store


def connect(port: int) -> Redis:
    """A client that is open before its server answers, as after a restart."""
    retry = Retry(NoBackoff(), 0)
    return Redis(host="127.0.0.1", port=port, retry=retry, protocol=2, socket_timeout=2)
