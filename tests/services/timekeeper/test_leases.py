from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from core.log.keys import deadlines_key, match_id_for, shard_of
from core.store.client import Client, open_store
from services.timekeeper.leases import LEASE_MS, Leases
from tests.support.servers import StoreServer


class Time:
    def __init__(self) -> None:
        self.now_s = 1_000_000.0

    def __call__(self) -> float:
        return self.now_s


async def expire(store: Client) -> None:
    """Ends all leases as time would, without waiting for it."""
    async for key in store.scan_iter("*:timekeeper"):
        await store.hset(key, "until", 1)


async def test_one_timekeeper_takes_all_shards_and_two_share_them(store: Client) -> None:
    time = Time()
    first, second = await Leases.open(store, "first", time), await Leases.open(store, "second", time)
    await first.claim()
    assert len(first.fences) == 64
    await second.claim()
    assert not second.fences.keys() & first.fences.keys()
    await first.claim()
    await expire(store)
    await second.claim()
    assert first.fences.keys() | second.fences.keys() == set(range(64))
    assert not first.fences.keys() & second.fences.keys()
    assert 16 < len(first.fences) < 48


async def test_when_one_dies_the_other_takes_over_with_higher_fences(store: Client) -> None:
    time = Time()
    first, second = await Leases.open(store, "first", time), await Leases.open(store, "second", time)
    await first.claim()
    time.now_s += LEASE_MS / 1000 + 1
    await second.claim()
    assert second.fences == {}
    await expire(store)
    await second.claim()
    assert set(second.fences) == set(range(64))
    assert all(fence == 2 for fence in second.fences.values())


async def test_who_has_lost_the_lease_is_told_so_and_changes_nothing(store: Client) -> None:
    time = Time()
    first, second = await Leases.open(store, "first", time), await Leases.open(store, "second", time)
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    await first.claim()
    await store.zadd(key, {match_id: 1})
    (due,) = await first.due()
    await expire(store)
    time.now_s += LEASE_MS / 1000 + 1
    await second.claim()
    score = await store.zscore(key, match_id)
    assert await first.settle(due, 0) is False
    assert await first.due() == []
    assert await store.zscore(key, match_id) == score


async def test_what_is_due_is_put_off_until_it_is_settled(store: Client) -> None:
    leases = await Leases.open(store, "only")
    await leases.claim()
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    await store.zadd(key, {match_id: 1})
    (due,) = await leases.due()
    assert (due.match_id, await leases.due()) == (match_id, [])
    assert await leases.settle(due, 0) is True
    assert await store.zscore(key, match_id) is None


async def test_a_deadline_that_an_append_has_set_meanwhile_stands(store: Client) -> None:
    leases = await Leases.open(store, "only")
    await leases.claim()
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    await store.zadd(key, {match_id: 1})
    (due,) = await leases.due()
    await store.zadd(key, {match_id: 9_999_999_999_999})
    assert await leases.settle(due, 0) is False
    assert await store.zscore(key, match_id) == 9_999_999_999_999


async def test_claims_at_the_same_moment_never_give_a_shard_to_two(store: Client) -> None:
    time = Time()
    many = [await Leases.open(store, f"keeper{n}", time) for n in range(6)]
    for _ in range(3):
        await asyncio.gather(*(leases.claim() for leases in many))
        held = [shard for leases in many for shard in leases.fences]
        assert len(held) == len(set(held))


async def test_a_store_that_lost_its_functions_gets_them_again(start_server: Callable[..., StoreServer]) -> None:
    server = start_server()
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    async with await open_store(server.settings()) as store:
        leases = await Leases.open(store, "only")
        server.call("FUNCTION", "FLUSH")
        await leases.claim()
        assert len(leases.fences) == 64
        await store.zadd(key, {match_id: 1})
        server.call("FUNCTION", "FLUSH")
        (due,) = await leases.due()
        server.call("FUNCTION", "FLUSH")
        assert await leases.settle(due, 0) is True


class Late(Leases):
    """Reads the answer about what is due when `read` is set."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.answered = asyncio.Event()
        self.read = asyncio.Event()

    async def _piped(self, function: str, calls: Any) -> Any:
        answers = await super()._piped(function, calls)
        if function == "due":
            self.answered.set()
            await self.read.wait()
        return answers


async def test_a_lease_that_was_claimed_by_another_in_the_middle_of_a_look_is_let_go(store: Client) -> None:
    time = Time()
    first, second = await Late.open(store, "first", time), await Leases.open(store, "second", time)
    assert isinstance(first, Late)
    await first.claim()
    await expire(store)
    looking = asyncio.ensure_future(first.due())
    await first.answered.wait()
    await second.claim()
    await first.claim()
    first.read.set()
    assert await looking == []
    assert not first.fences.keys() & second.fences.keys()
