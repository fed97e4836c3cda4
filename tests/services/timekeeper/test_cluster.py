from __future__ import annotations

from pathlib import Path

import pytest

from core.log.keys import SHARDS, deadlines_key, match_id_for, shard_of
from core.store.client import open_store
from services.timekeeper.leases import PRESENT, Leases
from tests.support.cluster import Cluster


async def test_shards_are_claimed_and_handed_over_on_a_cluster_too(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, masters=2)
    try:
        cluster.start()
        async with await open_store(cluster.servers[0].settings(cluster=True)) as store:
            first, second = [await Leases.open(store, name, lease_ms=60_000) for name in ("first", "second")]
            await first.claim()
            assert len(first.fences) == 64
            await first.leave()
            await second.claim()
            assert second.fences == dict.fromkeys(range(64), 2)
            assert await store.zrange(PRESENT, 0, -1) == [b"second"]
    finally:
        cluster.stop()


@pytest.mark.parametrize("dying", [0, 1])
async def test_where_a_master_is_away_the_shards_of_the_others_are_looked_after(tmp_path: Path, dying: int) -> None:
    """One of the two is the one that knows who is present."""
    cluster = Cluster(tmp_path, masters=2)
    try:
        cluster.start()
        async with await open_store(cluster.servers[0].settings(cluster=True)) as store:
            leases = await Leases.open(store, "only", lease_ms=60_000)
            assert await leases.claim() is None
            ids = [match_id_for(str(number)) for number in range(200)]
            for match_id in ids:
                await store.zadd(deadlines_key(shard_of(match_id)), {match_id: 1})
            cluster.servers[dying].kill()
            assert await leases.claim() is not None
            assert len(leases.fences) == SHARDS
            due, silent = await leases.due()
            assert silent is not None
            there = {each.shard for each in due}
            assert {each.match_id for each in due} == {m for m in ids if shard_of(m) in there}
            assert 0 < len(there) < SHARDS
            assert await leases.settle(due[0], 0) is True
    finally:
        cluster.stop()
