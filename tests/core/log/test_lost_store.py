"""The write path when its server is killed, frozen, started anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from hamle.error.v1.error_pb2 import REASON_OVERLOADED, REASON_SHUTTING_DOWN, REASON_STORE_DOWN, Reason
from redis.asyncio import Redis

from core.errors import Refused
from core.log.appender import Appender
from core.log.reader import RedisLogReader
from core.log.types import START, Cursor, Durability, UnknownOutcome
from core.store.client import open_store
from tests.core.log.logs import append_after, digest, match, record, whole
from tests.support.servers import StoreServer
from tests.support.waiting import eventually, until

StartServer = Callable[..., StoreServer]


async def test_a_store_that_takes_no_more_connections_is_down_until_it_does(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings()) as appender:
        await appender.append(append_after(match("m")))
        async with Redis(port=server.port, single_connection_client=True) as admin:
            await admin.config_set("maxclients", 1)
            await admin.client_kill_filter(_type="normal", skipme=True)
            while not (await admin.info("stats"))["rejected_connections"]:  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.02)
            with pytest.raises(Refused) as refused:
                await appender.append(append_after(match("m"), Cursor(1, digest(1))))
            assert refused.value.reason == REASON_STORE_DOWN
            await admin.config_set("maxclients", 100)
        await eventually(lambda: appender.append(append_after(match("m"), Cursor(1, digest(1)))))


async def test_kill_in_mid_append_loses_nothing_that_was_acknowledged(start_server: StartServer) -> None:
    server = start_server()
    settings = server.settings(durability=Durability.FSYNCED)
    ids = [match(f"m{i}") for i in range(32)]
    acknowledged = dict.fromkeys(ids, START)
    unknown: dict[str, int] = {}
    refusals: set[Reason.ValueType] = set()

    async def play(appender: Appender, match_id: str) -> None:
        while True:
            head = acknowledged[match_id]
            try:
                acknowledged[match_id] = (await appender.append(append_after(match_id, head))).head
            except UnknownOutcome:
                unknown[match_id] = head.seq + 1
                return
            except Refused as refused:
                refusals.add(refused.reason)
                return

    async with Appender(settings) as appender:
        for _ in range(3):
            unknown.clear()
            players = [asyncio.create_task(play(appender, match_id)) for match_id in ids]
            reached = acknowledged[ids[0]].seq
            await until(lambda reached=reached: acknowledged[ids[0]].seq > reached + 20)  # type: ignore[misc]
            # It stands still first: else it may have answered all that was sent, and then there is nothing unknown.
            server.pause()
            await asyncio.sleep(0.1)
            server.kill()
            await asyncio.gather(*players)
            assert unknown
            assert refusals <= {REASON_STORE_DOWN}
            server.start()
            await eventually(lambda: appender.append(append_after(match(f"after the crash {server.pid}"))))
            client = await open_store(settings)
            reader = RedisLogReader(client)
            for match_id in ids:
                last = acknowledged[match_id].seq
                stored = await whole(reader, match_id)
                assert list(stored) == [record(seq) for seq in range(1, len(stored) + 1)]
                assert len(stored) in (last, unknown.get(match_id, last))
                acknowledged[match_id] = await reader.head(match_id)
            await client.aclose()


async def test_while_the_store_is_down_appends_are_refused_and_later_taken(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings()) as appender:
        head = (await appender.append(append_after(match()))).head
        server.kill()
        await until(lambda: _is_refused(appender))
        with pytest.raises(Refused) as refused:
            await appender.append(append_after(match(), head))
        assert refused.value.reason == REASON_STORE_DOWN
        assert refused.value.retry_after_ms > 0
        server.start()
        done = await eventually(lambda: appender.append(append_after(match("other"))))
        assert done.head == Cursor(1, digest(1))


async def test_a_store_that_hangs_gives_unknown_outcomes_and_is_used_again(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings(reply_timeout_s=2.0)) as appender:
        await appender.append(append_after(match("before")))
        server.pause()
        sent = appender.submit(append_after(match("sent")))
        await asyncio.sleep(0.05)
        waiting = appender.submit(append_after(match("waiting")))
        with pytest.raises(UnknownOutcome):
            await sent
        with pytest.raises(Refused) as refused:
            await waiting
        assert refused.value.reason == REASON_STORE_DOWN
        server.resume()
        await eventually(lambda: appender.append(append_after(match("after"))))
    client = await open_store(server.settings())
    reader = RedisLogReader(client)
    assert (await reader.head(match("sent"))).seq in (0, 1)
    assert await reader.head(match("waiting")) == START
    await client.aclose()


async def test_a_full_queue_refuses_and_says_when_to_retry(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings(), queue_limit=10) as appender:
        server.pause()
        sent = appender.submit(append_after(match("sent")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting = [appender.submit(append_after(match(f"waiting {i}"))) for i in range(10)]
        with pytest.raises(Refused) as refused:
            await appender.append(append_after(match("too many")))
        assert refused.value.reason == REASON_OVERLOADED
        assert refused.value.retry_after_ms > 0
        server.resume()
        assert len(await asyncio.gather(sent, *waiting)) == 11
        await appender.append(append_after(match("too many")))


async def test_a_cancelled_append_harms_no_other(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings()) as appender:
        server.pause()
        sent = [asyncio.create_task(appender.append(append_after(match(f"sent {i}")))) for i in range(10)]
        await asyncio.sleep(0.02)
        waiting = [asyncio.create_task(appender.append(append_after(match(f"waiting {i}")))) for i in range(10)]
        await asyncio.sleep(0.02)
        for task in (*sent[::2], *waiting[::2]):
            task.cancel()
        await asyncio.sleep(0)
        server.resume()
        results = await asyncio.gather(*sent, *waiting, return_exceptions=True)
        for i, result in enumerate(results):
            if i % 2 == 0:
                assert isinstance(result, asyncio.CancelledError)
            else:
                assert not isinstance(result, BaseException)
                assert result.head == Cursor(1, digest(1))
        client = await open_store(server.settings())
        heads = await RedisLogReader(client).heads(
            [match(f"{word} {i}") for word in ("sent", "waiting") for i in range(10)]
        )
        assert [head.seq for head in heads.values()] == [1] * 10 + [0, 1] * 5
        await client.aclose()


async def test_a_restarted_store_is_a_new_history(start_server: StartServer) -> None:
    server = start_server()
    told: list[frozenset[int]] = []
    async with Appender(server.settings(), on_new_history=told.append) as appender:
        await appender.append(append_after(match()))
        assert told == []
        server.kill()
        await until(lambda: _is_refused(appender))
        server.start()
        await eventually(lambda: appender.append(append_after(match("other"))))
        assert told == [frozenset(range(64))]


async def test_a_dropped_connection_to_the_same_store_is_no_new_history(start_server: StartServer) -> None:
    server = start_server()
    told: list[frozenset[int]] = []
    async with Appender(server.settings(), on_new_history=told.append) as appender:
        await appender.append(append_after(match()))
        server.call("CLIENT", "KILL", "TYPE", "normal")
        await eventually(lambda: _append_or_unknown(appender))
        assert told == []


async def test_leaving_waits_for_what_is_under_way(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings()) as appender:
        pending = [appender.submit(append_after(match(f"m{i}"))) for i in range(500)]
    assert all(future.result().head.seq == 1 for future in pending)
    with pytest.raises(Refused) as refused:
        await appender.append(append_after(match("late")))
    assert refused.value.reason == REASON_SHUTTING_DOWN


async def test_leaving_a_dead_store_answers_everybody(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings(reply_timeout_s=2.0)) as appender:
        server.pause()
        sent = appender.submit(append_after(match("sent")))
        await asyncio.sleep(0.02)
        waiting = appender.submit(append_after(match("waiting")))
    assert isinstance(sent.exception(), UnknownOutcome)
    assert isinstance(waiting.exception(), Refused)


async def test_what_waits_when_the_process_goes_down_is_told_to_go_elsewhere(start_server: StartServer) -> None:
    server = start_server()
    async with Appender(server.settings(reply_timeout_s=60)) as appender:
        server.pause()
        sent = appender.submit(append_after(match("sent")))
        await asyncio.sleep(0)
        waiting = appender.submit(append_after(match("waiting")))
        await appender._lanes.close()
    assert isinstance(sent.exception(), UnknownOutcome)
    refused = waiting.exception()
    assert isinstance(refused, Refused)
    assert refused.reason == REASON_SHUTTING_DOWN


async def test_no_server_at_all_is_refused_at_the_start(start_server: StartServer) -> None:
    server = start_server()
    server.kill()
    with pytest.raises(Refused) as refused:
        async with Appender(server.settings()):
            pass
    assert refused.value.reason == REASON_STORE_DOWN
    with pytest.raises(Refused) as refused:
        await open_store(server.settings())
    assert refused.value.reason == REASON_STORE_DOWN


async def _append_or_unknown(appender: Appender) -> None:
    try:
        await appender.append(append_after(match("other")))
    except UnknownOutcome:
        await appender.append(append_after(match("yet another")))


def _is_refused(appender: Appender) -> bool:
    probe = appender.submit(append_after(match("probe")))
    if not probe.done():
        probe.cancel()
        return False
    return isinstance(probe.exception(), Refused)
