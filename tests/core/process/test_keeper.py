from __future__ import annotations

import asyncio

import pytest

from core.process import keeper as keeper_module
from core.process.keeper import TaskKeeper


class Boom(Exception):
    pass


async def test_a_task_that_fails_for_good_is_made_known() -> None:
    failures: list[BaseException] = []
    known = asyncio.Event()

    def on_failure(failure: BaseException) -> None:
        failures.append(failure)
        known.set()

    async def fail() -> None:
        raise Boom

    async with TaskKeeper(on_failure) as keeper:
        keeper.keep("failing", fail)
        await known.wait()
        assert isinstance(keeper.failure, Boom)
    assert len(failures) == 1


async def test_a_restarting_task_is_begun_again() -> None:
    begun = 0
    enough = asyncio.Event()

    async def fail_twice() -> None:
        nonlocal begun
        begun += 1
        if begun < 3:
            raise Boom
        enough.set()

    async with TaskKeeper() as keeper:
        task = keeper.keep("flaky", fail_twice, restart=True)
        await enough.wait()
        await task
        assert keeper.failure is None
    assert begun == 3


async def test_a_cancellation_from_within_counts_as_a_failure() -> None:
    async def leak() -> None:
        raise asyncio.CancelledError

    async with TaskKeeper() as keeper:
        await keeper.keep("leaking", leak)
        assert isinstance(keeper.failure, asyncio.CancelledError)


async def test_closing_ends_all_tasks_and_waits_for_their_clean_up() -> None:
    cleaned = []

    async def forever(number: int) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(number)

    async with TaskKeeper() as keeper:
        for number in range(3):
            keeper.keep(f"forever {number}", lambda number=number: forever(number))  # type: ignore[misc]
        await asyncio.sleep(0)
    assert sorted(cleaned) == [0, 1, 2]
    assert keeper.failure is None


async def test_a_task_that_has_not_heard_of_its_cancellation_is_cancelled_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keeper_module, "AGAIN_S", 0.05)
    heard = []

    async def deaf_at_first() -> None:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            heard.append("lost")
        await asyncio.sleep(3600)

    keeper = TaskKeeper()
    task = keeper.keep("deaf", deaf_at_first)
    await asyncio.sleep(0)
    async with asyncio.timeout(10):
        await keeper.close()
    assert heard == ["lost"]
    assert task.cancelled()


async def test_a_closed_keeper_takes_no_more() -> None:
    keeper = TaskKeeper()
    await keeper.close()

    async def nothing() -> None:
        return

    with pytest.raises(RuntimeError, match="late"):
        keeper.keep("late", nothing)
