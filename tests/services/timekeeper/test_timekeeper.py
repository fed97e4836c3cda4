from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2

from core.log.keys import deadlines_key, match_id_for, shard_of
from core.log.reader import RedisLogReader
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from services.timekeeper.engines import Engines
from services.timekeeper.leases import Leases
from services.timekeeper.main import Timekeeper
from tests.support.replicas import Replica, StartEngine


@pytest.fixture
async def keepers(store: Client) -> AsyncIterator[list[Timekeeper]]:
    """Two timekeepers that look at nothing by themselves."""
    opened = []
    for name in ("first", "second"):
        engines = Engines(store, RedisLogReader(store))
        opened.append((Timekeeper(await Leases.open(store, name), engines), engines))
    yield [keeper for keeper, _ in opened]
    for _, engines in opened:
        await engines.close()


async def status(replica: Replica, match_id: str) -> int:
    answer = await replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))
    return int(answer.match.status)


async def test_unstarted_matches_are_cancelled_once_whoever_looks(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO, start_within_ms=1_000)
    ids = [await replica.create(f"m{n}", sit=False) for n in range(8)]
    await asyncio.sleep(1.1)
    for _ in range(2):
        await asyncio.gather(*(keeper.claim() for keeper in keepers))
        await asyncio.gather(*(keeper.look() for keeper in keepers))
    for match_id in ids:
        assert await status(replica, match_id) == match_pb2.MATCH_STATUS_CANCELLED
        assert await store.zscore(deadlines_key(shard_of(match_id)), match_id) is None
        heads = await RedisLogReader(store).head(match_id)
        assert heads.seq == 3


async def test_a_clock_that_has_run_out_ends_the_match(start_engine: StartEngine, keepers: list[Timekeeper]) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create(time_control=event_pb2.TimeControl(initial_ms=1_000))
    await replica.move(match_id, "ann", 4, "d1e-d1a")
    await keepers[0].claim()

    async with asyncio.timeout(20):
        while await status(replica, match_id) == match_pb2.MATCH_STATUS_ACTIVE:
            await keepers[0].claim()
            await keepers[0].look()
            await asyncio.sleep(0.1)
    answer = await replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))
    assert answer.match.outcome.reason == "clock_expired"
    assert [p.place for p in answer.match.outcome.placements] == [1, 2]


async def test_without_an_engine_the_deadline_waits_for_one(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO, start_within_ms=1_000)
    match_id = await replica.create(sit=False)
    await replica.stop()
    await asyncio.sleep(1.1)
    keeper = keepers[0]
    await keeper.claim()
    await keeper.look()
    key = deadlines_key(shard_of(match_id))
    assert await store.zscore(key, match_id) is not None
    again = await start_engine(COERCEO)
    await store.zadd(key, {match_id: 1})
    await keeper.claim()
    await keeper.look()
    assert await status(again, match_id) == match_pb2.MATCH_STATUS_CANCELLED


async def test_a_deadline_of_a_match_that_is_gone_is_forgotten(store: Client, keepers: list[Timekeeper]) -> None:
    match_id = match_id_for("gone")
    key = deadlines_key(shard_of(match_id))
    await store.zadd(key, {match_id: 1})
    await keepers[0].claim()
    await keepers[0].look()
    assert await store.zscore(key, match_id) is None
