"""Timekeepers as real processes, that are killed and stopped."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.store.client import Client
from core.store.settings import StoreSettings
from services.timekeeper.leases import PRESENT, Leases
from tests.services.gateway.main.processes import Role
from tests.support.servers import StoreServer
from tests.support.waiting import LONG_S, until

SHARDS = 64
HOUR_S = 3_600

Start = Callable[..., Role]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts timekeepers over a store; `clock_s` is by how much the host's clock is wrong, `env` are more settings."""
    started: list[Role] = []

    def begin(settings: StoreSettings, clock_s: float = 0.0, **env: str) -> Role:
        module = "tests.services.timekeeper.own_clock"
        started.append(Role(module, tmp_path, 0, STORE_URL=settings.url, TEST_CLOCK_S=str(clock_s), **env))
        return started[-1]

    yield begin
    for role in started:
        role.kill()


async def held(store: Client) -> int:
    """How many shards anybody has a lease of."""
    return len([key async for key in store.scan_iter("*:timekeeper")])


async def has_claimed(role: Role, store: Client) -> None:
    async with asyncio.timeout(LONG_S):
        while await held(store) < SHARDS:
            assert role.process.poll() is None, role.said
            await asyncio.sleep(0.05)


async def test_one_whose_clock_is_ahead_dies_and_the_other_takes_all_its_shards(
    start: Start, store: Client, store_settings: StoreSettings
) -> None:
    role = start(store_settings, HOUR_S)
    await has_claimed(role, store)
    role.kill()
    living = await Leases.open(store, "living")
    async with asyncio.timeout(LONG_S):
        while len(living.fences) < SHARDS:
            await living.claim()
            await asyncio.sleep(0.1)
    assert await store.zrange(PRESENT, 0, -1) == [b"living"]


async def test_one_whose_clock_is_behind_gets_its_part(
    start: Start, store: Client, store_settings: StoreSettings
) -> None:
    first = await Leases.open(store, "first")
    await first.claim()
    assert len(first.fences) == SHARDS
    role = start(store_settings, -HOUR_S)
    async with asyncio.timeout(LONG_S):
        while len(first.fences) == SHARDS:
            assert role.process.poll() is None, role.said
            await first.claim()
            await asyncio.sleep(0.1)


async def test_one_that_is_stopped_hands_over_at_once(
    start: Start, store: Client, store_settings: StoreSettings
) -> None:
    # What it gives up runs out by itself where the store takes longer than a second.
    role = start(store_settings, TEST_GOODBYE_S="60", STOP_GRACE_S="60")
    await has_claimed(role, store)
    role.signal(signal.SIGTERM)
    assert role.wait() == 0, role.said
    assert await store.zrange(PRESENT, 0, -1) == []
    assert {await store.hget(key, "until") async for key in store.scan_iter("*:timekeeper")} == {b"0"}
    heir = await Leases.open(store, "heir")
    await heir.claim()
    assert len(heir.fences) == SHARDS


@pytest.mark.parametrize("goes", [StoreServer.kill, StoreServer.pause])
async def test_one_that_is_stopped_while_the_store_is_away_ends_all_the_same(
    start: Start, start_server: Callable[..., StoreServer], goes: Callable[[StoreServer], None]
) -> None:
    server = start_server()
    role = start(server.settings())
    await until(lambda: "timekeeper runs" in role.said)
    goes(server)
    role.signal(signal.SIGTERM)
    assert role.wait() == 0, role.said
    assert "leases not given up; they run out" in role.said
