"""What the general client meets in real servers, as refusals."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hamle.error.v1.error_pb2 import (
    REASON_STORE_DOWN,
    REASON_STORE_OUT_OF_MEMORY,
    REASON_STORE_READ_ONLY,
    REASON_STORE_UNFIT,
    Reason,
)

from core.errors import Refused
from core.store.client import Client, open_store
from core.store.errors import store_errors
from tests.support.servers import StoreServer
from tests.support.waiting import eventually, until

StartServer = Callable[..., StoreServer]


async def _refused(client: Client) -> Reason.ValueType:
    with pytest.raises(Refused) as refused, store_errors():
        await client.set("key", "value")
    return refused.value.reason


async def test_a_killed_server_is_down_and_is_used_again(start_server: StartServer) -> None:
    server = start_server()
    client = await open_store(server.settings())
    server.kill()
    assert await _refused(client) == REASON_STORE_DOWN
    server.start()
    await eventually(lambda: _set(client))
    await client.aclose()


async def test_a_frozen_server_is_down_and_a_write_is_sent_once(start_server: StartServer) -> None:
    server = start_server()
    client = await open_store(server.settings(reply_timeout_s=2.0))
    server.pause()
    with pytest.raises(Refused) as refused, store_errors():
        await client.incr("count")
    assert refused.value.reason == REASON_STORE_DOWN
    server.resume()
    assert int(server.call("GET", "count") or 0) <= 1
    await client.aclose()


async def test_a_replica_is_read_only(start_server: StartServer) -> None:
    server = start_server()
    client = await open_store(server.settings())
    server.call("REPLICAOF", "127.0.0.1", 1)
    assert await _refused(client) == REASON_STORE_READ_ONLY
    await client.aclose()


async def test_a_full_server_is_out_of_memory(start_server: StartServer) -> None:
    server = start_server()
    client = await open_store(server.settings())
    server.call("CONFIG", "SET", "maxmemory", "1")
    assert await _refused(client) == REASON_STORE_OUT_OF_MEMORY
    await client.aclose()


async def test_a_failed_save_is_read_only(start_server: StartServer) -> None:
    server = start_server(config={"save": "3600 1000000", "stop-writes-on-bgsave-error": "yes"})
    client = await open_store(server.settings())
    (server.folder / "dump.rdb" / "in the way").mkdir(parents=True)
    server.call("BGSAVE")
    await until(lambda: server.call("INFO", "persistence")["rdb_last_bgsave_status"] == "err")
    assert await _refused(client) == REASON_STORE_READ_ONLY
    await client.aclose()


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, REASON_STORE_UNFIT),
        ({"appendonly": "no"}, REASON_STORE_UNFIT),
        ({"replicaof": "127.0.0.1 1"}, REASON_STORE_READ_ONLY),
    ],
)
async def test_a_server_that_comes_back_unfit_is_refused(
    start_server: StartServer, config: dict[str, str], reason: Reason.ValueType
) -> None:
    server = start_server()
    client = await open_store(server.settings())
    await _set(client)
    server.stop()
    server.configure(config)
    server.start()
    # The connection that the old server closed is noticed at the latest when it is used.
    assert await _refused(client) in (reason, REASON_STORE_DOWN)
    for _ in range(3):
        assert await _refused(client) == reason
    await client.aclose()


async def _set(client: Client) -> None:
    with store_errors():
        await client.set("key", "value")
