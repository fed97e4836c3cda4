"""The log on a real cluster: three masters, one of them with a replica."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence

import pytest
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN

from core.errors import Refused
from core.log.appender import Appender
from core.log.feed import Fed, FeedFollower
from core.log.index import forget
from core.log.keys import SHARDS, deadlines_key, listed_key, log_key
from core.log.reader import RedisLogReader
from core.log.shards import check_shards
from core.log.types import START, Cursor, UnknownOutcome
from core.store.client import Client, open_store
from core.store.clock import StoreClock
from core.store.settings import StoreSettings
from tests.core.log.logs import append_after, digest, match, record, whole
from tests.support.cluster import Cluster
from tests.support.waiting import eventually, until

MATCHES = [match(f"m{shard}", shard=shard) for shard in range(SHARDS)]


@pytest.fixture
def store_settings(cluster: Cluster) -> StoreSettings:
    for server in cluster.servers:
        if server.call("ROLE")[0] == b"master":
            server.clear()
    return cluster.servers[1].settings(cluster=True)


@pytest.fixture
async def store(store_settings: StoreSettings) -> AsyncIterator[Client]:
    client = await open_store(store_settings)
    yield client
    await client.aclose()


async def test_all_shards_take_appends_and_are_read_and_followed(
    cluster: Cluster, store: Client, appender: Appender
) -> None:
    follower = FeedFollower(store)
    await follower.start(range(SHARDS))
    appends = [append_after(m, count=3)._replace(deadline_ms=5, listing=b"here") for m in MATCHES]
    done = await asyncio.gather(*map(appender.append, appends))
    assert [(d.head, d.feed) for d in done] == [(Cursor(3, digest(3)), 1)] * SHARDS
    assert appender.stats.batches == len(cluster.masters)

    reader = RedisLogReader(store, batch=2)
    assert await reader.heads(MATCHES) == dict.fromkeys(MATCHES, Cursor(3, digest(3)))
    for match_id in MATCHES:
        assert await whole(reader, match_id) == [record(1), record(2), record(3)]
    fed = await follower.poll()
    assert sorted(entry.match_id for entry in fed.entries) == sorted(MATCHES)
    assert fed.rescan == frozenset()
    assert all(server.call("DBSIZE") > 0 for server in cluster.masters)


async def test_every_function_needs_only_the_keys_that_it_declares(store: Client, appender: Appender) -> None:
    for shard, match_id in enumerate(MATCHES):
        await appender.append(append_after(match_id)._replace(deadline_ms=5, listing=b"here", expire_s=100))
        assert await forget(store, match_id) is False
        await store.delete(log_key(match_id))
        assert await forget(store, match_id) is True
        assert not await store.exists(deadlines_key(shard), listed_key(shard))


async def test_the_rest_of_the_store_works_on_a_cluster(store: Client) -> None:
    await check_shards(store)
    await check_shards(store)
    clock = StoreClock(store)
    await clock.sync()
    assert clock.now_ms() > 1_700_000_000_000


async def test_a_planned_failover_loses_nothing_and_tells_the_new_history(
    cluster: Cluster, store: Client, store_settings: StoreSettings
) -> None:
    told: list[frozenset[int]] = []
    async with Appender(store_settings, on_new_history=told.append) as appender:
        played = asyncio.create_task(_play(appender, MATCHES, stop=lambda: bool(told)))
        await asyncio.sleep(0.1)
        replica = cluster.replicas[0]
        replica.call("CLUSTER", "FAILOVER")
        heads = await played
        assert replica.call("ROLE")[0] == b"master"
        assert len(told) == 1
        moved = told[0]
        assert 0 < len(moved) < SHARDS
        await _verify(store, heads)


async def test_a_killed_master_stalls_no_other_and_its_replica_goes_on(
    cluster: Cluster, store: Client, store_settings: StoreSettings
) -> None:
    with_replica = cluster.with_replica()
    told: list[frozenset[int]] = []
    follower, reader = FeedFollower(store), RedisLogReader(store)
    await follower.start(range(SHARDS))
    async with Appender(store_settings, on_new_history=told.append) as appender:
        heads = await _play(appender, MATCHES, stop=lambda: True)
        assert _shards(await follower.poll()) == set(range(SHARDS))
        with cluster.no_failover():
            with_replica.kill()
            refused = {shard for shard, error in (await _each(appender)).items() if error is not None}
            assert 0 < len(refused) < SHARDS
            fed = await follower.poll()
            assert fed.silent is not None
            assert _shards(fed) == set(range(SHARDS)) - refused
            assert await reader.heads(MATCHES) == {m: heads[m] for m in MATCHES if int(m[:2]) not in refused}
            late = FeedFollower(store)
            assert await late.start(range(SHARDS)) is not None
            assert late.shards == set(range(SHARDS)) - refused

        await until(lambda: bool(told))
        assert told[0] == refused
        await asyncio.gather(*(_append_anyhow(appender, m) for m in MATCHES))
        followed: set[int] = set()

        async def all_told() -> None:
            fed = await follower.poll()
            followed.update(_shards(fed))
            if fed.silent is not None:
                raise fed.silent

        await eventually(all_told)
        assert followed == set(range(SHARDS))
        assert set(await reader.heads(MATCHES)) == set(MATCHES)
        with_replica.start()


def _shards(fed: Fed) -> set[int]:
    """The shards that a poll told anything of."""
    return {int(entry.match_id[:2]) for entry in fed.entries} | fed.rescan


async def _play(appender: Appender, ids: Sequence[str], stop: Callable[[], bool]) -> Mapping[str, Cursor]:
    """Append to all matches until something is so, and ten appends more; refusals are retried."""
    heads = dict.fromkeys(ids, START)

    async def play(match_id: str) -> None:
        left = 10
        while left:
            left -= stop()
            try:
                heads[match_id] = (await appender.append(append_after(match_id, heads[match_id]))).head
            except Refused as refused:
                assert refused.reason == REASON_STORE_DOWN  # noqa: PT017
                await asyncio.sleep(0.02)

    await asyncio.gather(*map(play, ids))
    return heads


async def _each(appender: Appender) -> Mapping[int, BaseException | None]:
    """One more append to a fresh match of every shard; what became of each."""
    ids = [match(f"fresh {shard}", shard=shard) for shard in range(SHARDS)]
    results = await asyncio.gather(*(appender.append(append_after(m)) for m in ids), return_exceptions=True)
    errors = {shard: result if isinstance(result, BaseException) else None for shard, result in enumerate(results)}
    assert all(isinstance(error, Refused | UnknownOutcome) for error in errors.values() if error is not None)
    return errors


async def _append_anyhow(appender: Appender, match_id: str) -> None:
    number = 0
    while True:
        try:
            await appender.append(append_after(match(f"{match_id} anyhow {number}", shard=int(match_id[:2]))))
            return
        except Refused:
            await asyncio.sleep(0.05)
        number += 1


async def _verify(store: Client, heads: Mapping[str, Cursor]) -> None:
    reader = RedisLogReader(store)
    assert await reader.heads(list(heads)) == heads
    for match_id, head in heads.items():
        assert await whole(reader, match_id) == [record(seq) for seq in range(1, head.seq + 1)]
