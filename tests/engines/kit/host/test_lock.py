"""The lock of a warm match: one at a time, in the order of arrival, whatever is cancelled."""

from __future__ import annotations

import asyncio
import random

import pytest

from engines.kit.host.lock import Lock


async def test_a_free_lock_is_taken_at_once_and_a_held_one_is_not() -> None:
    lock = Lock()
    assert lock.try_acquire()
    assert lock.locked()
    assert not lock.try_acquire()
    lock.release()
    assert not lock.locked()
    async with lock:
        assert not lock.try_acquire()
    assert lock.try_acquire()


async def test_those_who_wait_get_it_in_the_order_of_their_coming_and_nobody_slips_in_between() -> None:
    lock, got = Lock(), []

    async def take(name: int) -> None:
        async with lock:
            got.append(name)
            await asyncio.sleep(0)

    await lock.acquire()
    tasks = [asyncio.create_task(take(name)) for name in range(5)]
    await asyncio.sleep(0)
    lock.release()
    assert not lock.try_acquire()
    await asyncio.gather(*tasks)
    assert got == [0, 1, 2, 3, 4]
    assert not lock.locked()


async def test_who_is_cancelled_while_it_is_being_handed_over_hands_it_on() -> None:
    lock = Lock()
    await lock.acquire()
    first, second = (asyncio.create_task(lock.acquire()) for _ in range(2))
    await asyncio.sleep(0)
    lock.release()
    first.cancel()
    await asyncio.wait_for(second, 5)
    assert lock.locked()
    lock.release()
    assert not lock.locked()


@pytest.mark.parametrize("seed", range(20))
async def test_never_two_hold_it_and_none_is_forgotten(seed: int) -> None:
    chance, lock = random.Random(seed), Lock()
    inside = most = done = 0

    async def take() -> None:
        nonlocal inside, most, done
        async with lock:
            inside += 1
            most = max(most, inside)
            try:
                for _ in range(chance.randrange(3)):
                    await asyncio.sleep(0)
            finally:
                inside -= 1
        done += 1

    tasks = []
    for _ in range(200):
        tasks.append(asyncio.create_task(take()))
        if chance.random() < 0.4:
            await asyncio.sleep(0)
        if chance.random() < 0.3:
            chance.choice(tasks).cancel()
    ended = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 30)
    assert most == 1
    assert done == sum(result is None for result in ended)
    assert not lock.locked()
