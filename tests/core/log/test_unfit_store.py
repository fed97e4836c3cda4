"""The write path when its server answers, but cannot do its work."""

from __future__ import annotations

import asyncio
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
from core.log.appender import Appender
from core.log.types import START, Append, Durability
from tests.core.log.logs import append_after, digest, match
from tests.support.servers import StoreServer
from tests.support.waiting import eventually, until

StartServer = Callable[..., StoreServer]


async def _refused(appender: Appender, append: Append) -> Reason.ValueType:
    with pytest.raises(Refused) as refused:
        await appender.append(append)
    return refused.value.reason


async def test_a_master_that_becomes_a_replica_refuses_writes_until_it_is_master_again(
    start_server: StartServer,
) -> None:
    server, other = start_server(), start_server()
    generations: list[frozenset[int]] = []
    async with Appender(server.settings(), on_new_history=generations.append) as appender:
        await appender.append(append_after(match("before")))
        server.call("REPLICAOF", "127.0.0.1", other.port)
        assert await _refused(appender, append_after(match("replica"))) == REASON_STORE_READ_ONLY
        await until(lambda: server.call("INFO", "replication")["master_link_status"] == "up")
        # The connection is made anew meanwhile, and the store is down as long as there is none.
        await until(lambda: _reason(appender) == REASON_STORE_READ_ONLY)
        server.call("REPLICAOF", "NO", "ONE")
        await eventually(lambda: appender.append(append_after(match("master"))))
        assert generations


async def test_out_of_memory_is_named_and_passes(start_server: StartServer) -> None:
    server = start_server(config={"maxmemory": "8mb"})
    async with Appender(server.settings()) as appender:
        appends = [Append(match(f"m{number}"), START, [(bytes(500_000), digest(1))]) for number in range(100)]
        results = await asyncio.gather(*map(appender.append, appends), return_exceptions=True)
        refusals = [result for result in results if isinstance(result, Refused)]
        assert 0 < len(refusals) < len(results)
        assert {refused.reason for refused in refusals} == {REASON_STORE_OUT_OF_MEMORY}
        assert all(refused.retry_after_ms > 0 for refused in refusals)
        server.call("CONFIG", "SET", "maxmemory", "0")
        await appender.append(append_after(match("after")))


async def test_a_failed_save_is_read_only(start_server: StartServer) -> None:
    server = start_server(config={"save": "3600 1000000", "stop-writes-on-bgsave-error": "yes"})
    async with Appender(server.settings()) as appender:
        await appender.append(append_after(match("before")))
        (server.folder / "dump.rdb" / "in the way").mkdir(parents=True)
        server.call("BGSAVE")
        await until(lambda: server.call("INFO", "persistence")["rdb_last_bgsave_status"] == "err")
        assert await _refused(appender, append_after(match("misconf"))) == REASON_STORE_READ_ONLY
        (server.folder / "dump.rdb" / "in the way").rmdir()
        (server.folder / "dump.rdb").rmdir()
        server.call("BGSAVE")
        await until(lambda: server.call("INFO", "persistence")["rdb_last_bgsave_status"] == "ok")
        await eventually(lambda: appender.append(append_after(match("after"))))


async def test_a_master_that_wants_replicas_is_read_only_without_them(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings()) as appender:
        server.call("CONFIG", "SET", "min-replicas-to-write", "1")
        assert await _refused(appender, append_after(match())) == REASON_STORE_READ_ONLY


async def test_lost_functions_are_loaded_again(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings()) as appender:
        head = (await appender.append(append_after(match()))).head
        server.call("FUNCTION", "FLUSH")
        assert await _refused(appender, append_after(match(), head)) == REASON_STORE_DOWN
        await eventually(lambda: appender.append(append_after(match(), head)))


async def test_fsynced_is_reported_when_the_server_does_it(start_server: StartServer) -> None:
    server = start_server()
    for promised in Durability:
        async with Appender(server.settings(durability=promised)) as appender:
            done = await appender.append(append_after(match(promised.name)))
            assert done.durability is Durability.FSYNCED


async def test_a_server_that_no_longer_keeps_the_promise_is_refused_after_a_reconnect(
    start_server: StartServer,
) -> None:
    server = start_server()
    async with Appender(server.settings(durability=Durability.FSYNCED)) as appender:
        await appender.append(append_after(match()))
        server.call("CONFIG", "SET", "appendfsync", "everysec")
        server.call("CLIENT", "KILL", "TYPE", "normal")
        await until(lambda: _reason(appender) == REASON_STORE_UNFIT)
        server.call("CONFIG", "SET", "appendfsync", "always")
        done = await eventually(lambda: appender.append(append_after(match("after"))))
        assert done.durability is Durability.FSYNCED


def _reason(appender: Appender) -> Reason.ValueType | None:
    probe = appender.submit(append_after(match("probe")))
    if not probe.done():
        probe.cancel()
        return None
    error = probe.exception()
    assert isinstance(error, Refused)
    return error.reason
