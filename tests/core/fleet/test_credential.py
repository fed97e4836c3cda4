from __future__ import annotations

import asyncio

from core.fleet.credential import KEY, fleet_credential
from core.store.client import Client


async def test_whoever_asks_first_makes_it_and_all_get_the_same(store: Client) -> None:
    asked = await asyncio.gather(*(fleet_credential(store) for _ in range(50)))
    assert len(set(asked)) == 1
    assert len(asked[0]) >= 43
    assert await store.get(KEY) == asked[0].encode()
    assert await store.ttl(KEY) == -1


async def test_another_store_has_another_credential(store: Client) -> None:
    first = await fleet_credential(store)
    await store.flushall()
    assert await fleet_credential(store) != first
