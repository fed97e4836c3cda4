from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from core.log.keys import deadlines_key, match_id_for, shard_of
from core.store.client import Client, open_store
from core.store.functions import Call
from core.store.round_trip import K
from services.timekeeper import leases as leases_module
from services.timekeeper.leases import PRESENT, Leases
from tests.support.servers import StoreServer

LONG_MS = 60_000
"""A lease that does not run out while a test waits for its turn."""


async def expire(store: Client) -> None:
    """Ends all leases as time would, without waiting for it."""
    async for key in store.scan_iter("*:timekeeper"):
        await store.hset(key, "until", 1)


async def vanish(store: Client, holder: str) -> None:
    """Ends a presence as time would, without waiting for it."""
    await store.zincrby(PRESENT, -LONG_MS / 1000, holder)


async def store_s(store: Client) -> float:
    seconds, micros = await store.time()
    return float(seconds + micros / 1e6)


async def test_one_timekeeper_takes_all_shards_and_two_share_them(store: Client) -> None:
    first, second = await Leases.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
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
    first, second = await Leases.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
    await first.claim()
    await vanish(store, "first")
    await second.claim()
    assert second.fences == {}
    await expire(store)
    await second.claim()
    assert set(second.fences) == set(range(64))
    assert all(fence == 2 for fence in second.fences.values())


async def test_who_was_present_by_a_clock_an_hour_ahead_is_not(store: Client) -> None:
    await store.zadd(PRESENT, {"ghost": await store_s(store) + 3_600})
    living = await Leases.open(store, "living", LONG_MS)
    await living.claim()
    assert len(living.fences) == 64
    assert await store.zrange(PRESENT, 0, -1) == [b"living"]


@pytest.mark.parametrize("apart_s", [-0.5, 0.0, 0.5])
async def test_who_was_present_by_a_clock_like_the_stores_is_present(store: Client, apart_s: float) -> None:
    await store.zadd(PRESENT, {"other": await store_s(store) + apart_s})
    leases = await Leases.open(store, "this", LONG_MS)
    await leases.claim()
    assert 16 < len(leases.fences) < 48
    assert set(await store.zrange(PRESENT, 0, -1)) == {b"this", b"other"}


async def test_who_leaves_hands_over_at_once_with_higher_fences(store: Client) -> None:
    first, second = await Leases.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
    match_id = match_id_for("m")
    await first.claim()
    await store.zadd(deadlines_key(shard_of(match_id)), {match_id: 1})
    ((due,), _) = await first.due()
    await second.claim()
    assert second.fences == {}
    await first.leave()
    assert await first.settle(due, 0) is False
    await second.claim()
    assert second.fences == dict.fromkeys(range(64), 2)


async def test_who_leaves_takes_nothing_from_another(store: Client) -> None:
    first, second = await Leases.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
    await first.claim()
    await expire(store)
    await vanish(store, "first")
    await second.claim()
    await first.leave()
    assert await second.due() == ([], None)
    assert len(second.fences) == 64
    assert await store.zrange(PRESENT, 0, -1) == [b"second"]


async def test_what_was_taken_without_hearing_so_is_given_up_too(store: Client) -> None:
    first, second = await Leases.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
    await first.claim()
    first.fences.clear()
    await first.leave()
    await second.claim()
    assert len(second.fences) == 64


async def test_who_has_lost_the_lease_is_told_so_and_changes_nothing(store: Client) -> None:
    first, second = await Leases.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    await first.claim()
    await store.zadd(key, {match_id: 1})
    ((due,), _) = await first.due()
    await expire(store)
    await vanish(store, "first")
    await second.claim()
    score = await store.zscore(key, match_id)
    assert await first.settle(due, 0) is False
    assert await first.due() == ([], None)
    assert await store.zscore(key, match_id) == score


async def test_what_is_due_is_put_off_until_it_is_settled(store: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases_module, "PUT_OFF_MS", LONG_MS)
    leases = await Leases.open(store, "only", LONG_MS)
    await leases.claim()
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    await store.zadd(key, {match_id: 1})
    ((due,), _) = await leases.due()
    assert (due.match_id, await leases.due()) == (match_id, ([], None))
    assert await leases.settle(due, 0) is True
    assert await store.zscore(key, match_id) is None


async def test_a_deadline_that_an_append_has_set_meanwhile_stands(store: Client) -> None:
    leases = await Leases.open(store, "only", LONG_MS)
    await leases.claim()
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    await store.zadd(key, {match_id: 1})
    ((due,), _) = await leases.due()
    await store.zadd(key, {match_id: 9_999_999_999_999})
    assert await leases.settle(due, 0) is False
    assert await store.zscore(key, match_id) == 9_999_999_999_999


async def test_claims_at_the_same_moment_never_give_a_shard_to_two(store: Client) -> None:
    many = [await Leases.open(store, f"keeper{n}", LONG_MS) for n in range(6)]
    for _ in range(3):
        await asyncio.gather(*(leases.claim() for leases in many))
        held = [shard for leases in many for shard in leases.fences]
        assert len(held) == len(set(held))


async def test_a_store_that_lost_its_functions_gets_them_again(start_server: Callable[..., StoreServer]) -> None:
    server = start_server()
    match_id = match_id_for("m")
    key = deadlines_key(shard_of(match_id))
    async with await open_store(server.settings()) as store:
        leases = await Leases.open(store, "only", LONG_MS)
        server.call("FUNCTION", "FLUSH")
        await leases.claim()
        assert len(leases.fences) == 64
        await store.zadd(key, {match_id: 1})
        server.call("FUNCTION", "FLUSH")
        ((due,), _) = await leases.due()
        server.call("FUNCTION", "FLUSH")
        assert await leases.settle(due, 0) is True
        server.call("FUNCTION", "FLUSH")
        await leases.leave()
        heir = await Leases.open(store, "heir", LONG_MS)
        await heir.claim()
        assert len(heir.fences) == 64


class Late(Leases):
    """Reads the answer about what is due when `read` is set."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.answered = asyncio.Event()
        self.read = asyncio.Event()

    async def _call_all(self, calls: Mapping[K, Call]) -> Any:
        answers = await super()._call_all(calls)
        if any(call.function == "due" for call in calls.values()):
            self.answered.set()
            await self.read.wait()
        return answers


async def test_a_lease_that_was_claimed_by_another_in_the_middle_of_a_look_is_let_go(store: Client) -> None:
    first, second = await Late.open(store, "first", LONG_MS), await Leases.open(store, "second", LONG_MS)
    assert isinstance(first, Late)
    await first.claim()
    await expire(store)
    looking = asyncio.ensure_future(first.due())
    await first.answered.wait()
    await second.claim()
    await first.claim()
    first.read.set()
    assert await looking == ([], None)
    assert not first.fences.keys() & second.fences.keys()
