from __future__ import annotations

from pathlib import Path

import pytest
from hamle.engine.v1.engine_pb2 import Announcement
from hamle.match.v1.match_pb2 import GameInfo

from core.fleet import announcements
from core.fleet.announcements import announce, read_announcements
from core.fleet.credential import fleet_credential
from core.store.client import open_store
from tests.support.cluster import Cluster


async def test_the_fleet_is_known_on_a_cluster_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "GOODBYE_S", 60.0)
    cluster = Cluster(tmp_path, masters=2)
    try:
        cluster.start()
        store = await open_store(cluster.servers[0].settings(cluster=True))
        told = [Announcement(replica=name, info=GameInfo(game="coerceo")) for name in ("a", "b")]
        async with announce(store, told[0]), announce(store, told[1]):
            assert await read_announcements(store) == told
        assert await read_announcements(store) == []
        assert await fleet_credential(store) == await fleet_credential(store)
        await store.aclose()
    finally:
        cluster.stop()
