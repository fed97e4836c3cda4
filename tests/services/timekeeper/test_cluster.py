from __future__ import annotations

from pathlib import Path

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
