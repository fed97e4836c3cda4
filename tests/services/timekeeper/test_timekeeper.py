from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2
from structlog.testing import capture_logs

from core.fleet.announcements import INDEX
from core.log.keys import deadlines_key, log_key, match_id_for, shard_of
from core.log.reader import RedisLogReader
from core.store.client import Client
from core.telemetry.metrics import DEADLINES
from engines.coerceo.game import GAME as COERCEO
from services.gateway.account.follower import open_accounts
from services.gateway.lobby.listing import Listing
from services.timekeeper import engines as asking
from services.timekeeper.engines import Engines
from services.timekeeper.leases import Leases
from services.timekeeper.main import Timekeeper
from tests.support.rawlog import entries, put_in_place
from tests.support.replicas import Replica, StartEngine

ANY = match_pb2.MATCH_STATUS_UNSPECIFIED
PUBLIC = event_pb2.VISIBILITY_PUBLIC


CLOCK_MS = 4_000
"""Long enough for a move on a slow machine, and soon over."""
LEASE_MS = 60_000
"""No lease runs out while a test waits for its turn."""


@pytest.fixture
async def keepers(store: Client, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Timekeeper]]:
    """Two timekeepers that look at nothing by themselves, and give an engine the time that it needs."""
    monkeypatch.setattr(asking, "ANSWER_S", 60.0)
    opened = []
    for name in ("first", "second"):
        engines = Engines(store)
        opened.append((Timekeeper(store, await Leases.open(store, name, LEASE_MS), engines), engines))
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
    match_id = await replica.create(time_control=event_pb2.TimeControl(initial_ms=CLOCK_MS))
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


async def test_one_damaged_log_keeps_no_other_match_from_its_deadline(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO, start_within_ms=1_000)
    ids = [await replica.create(f"m{n}", sit=False) for n in range(8)]
    damaged, nameless, *whole = ids
    for match_id, event in ((damaged, b"\xff"), (nameless, b"")):
        (entry, fields), *rest = await entries(store, match_id)
        await put_in_place(store, match_id, [(entry, fields | {b"e": event}), *rest])
    nobody = "no match at all"
    await store.zadd(deadlines_key(7), {nobody: 1})
    await asyncio.sleep(1.1)
    failed = DEADLINES.labels("failed").value
    await keepers[0].claim()
    with capture_logs() as lines:
        await keepers[0].look()
    for match_id in whole:
        assert await status(replica, match_id) == match_pb2.MATCH_STATUS_CANCELLED
    assert DEADLINES.labels("failed").value - failed == 3
    told = {line["match_id"]: line for line in lines if line["event"] == "deadline not handled yet"}
    assert told.keys() == {damaged, nameless, nobody}
    assert [told[match_id]["reason"] for match_id in (damaged, nameless)] == ["LOG_CORRUPT"] * 2
    for match_id in (damaged, nameless):
        assert await put_off_s(store, match_id) == pytest.approx(62, abs=5)


async def put_off_s(store: Client, match_id: str) -> float:
    """Seconds until the match's deadline comes again."""
    score = await store.zscore(deadlines_key(shard_of(match_id)), match_id)
    assert score is not None
    return score / 1000 - (await store.time())[0]


async def test_a_match_with_a_lost_tail_waits_for_the_operator_and_then_meets_its_deadline(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create(time_control=event_pb2.TimeControl(initial_ms=CLOCK_MS))
    await replica.move(match_id, "ann", 4, "d1e-d1a")
    await replica.move(match_id, "bob", 5, "b4b-b4f")
    await put_in_place(store, match_id, await entries(store, match_id, 5))
    await asyncio.sleep(CLOCK_MS / 1000 + 0.1)
    await keepers[0].claim()
    await keepers[0].look()
    assert await put_off_s(store, match_id) == pytest.approx(62, abs=5)
    await replica.call("AcceptTailLoss", engine_pb2.AcceptTailLossRequest(match_id=match_id, last_known_seq=6))
    async with asyncio.timeout(20):
        while await status(replica, match_id) == match_pb2.MATCH_STATUS_ACTIVE:
            await keepers[0].claim()
            await keepers[0].look()
            await asyncio.sleep(0.1)


async def test_an_announcement_that_does_not_parse_leaves_the_engines_known(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO, start_within_ms=1_000)
    match_id = await replica.create(sit=False)
    await keepers[0].claim()
    await store.hset(INDEX, "coerceo:broken", str(time.time()))
    await store.set("{fleet}:engine:coerceo:broken", b"\xff")
    await asyncio.sleep(1.1)
    for _ in range(2):
        await keepers[0].claim()
    await keepers[0].look()
    assert await status(replica, match_id) == match_pb2.MATCH_STATUS_CANCELLED


async def test_what_a_deadline_has_come_to_is_counted(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO, start_within_ms=1_000)
    cancelled = await replica.create("unstarted", sit=False)
    early = await replica.create("started", time_control=event_pb2.TimeControl(initial_ms=600_000))
    gone = match_id_for("gone")
    await store.zadd(deadlines_key(shard_of(early)), {early: 1})
    await store.zadd(deadlines_key(shard_of(gone)), {gone: 1})
    await asyncio.sleep(1.1)
    before = {result: DEADLINES.labels(result).value for result in ("done", "early", "gone", "failed")}
    await keepers[0].claim()
    await keepers[0].look()
    counted = {result: DEADLINES.labels(result).value - value for result, value in before.items()}
    assert counted == {"done": 1, "early": 1, "gone": 1, "failed": 0}
    assert await store.zscore(deadlines_key(shard_of(cancelled)), cancelled) is None
    assert (await store.zscore(deadlines_key(shard_of(early)), early) or 0) > 1_700_000_000_000


async def test_a_match_that_has_vanished_leaves_the_list_of_matches(
    start_engine: StartEngine, store: Client, keepers: list[Timekeeper]
) -> None:
    replica = await start_engine(COERCEO)
    gone, stays = [await replica.create(name, sit=False, visibility=PUBLIC) for name in ("gone", "stays")]
    listing = Listing(await open_accounts(store), hold_s=0)
    assert {match.match_id for match in (await listing.page("", ANY, None, 9))[0]} == {gone, stays}
    await store.delete(log_key(gone))
    for match_id in (gone, stays):
        await store.zadd(deadlines_key(shard_of(match_id)), {match_id: 1})
    await keepers[0].claim()
    await keepers[0].look()
    listing = Listing(await open_accounts(store))
    assert [match.match_id for match in (await listing.page("", ANY, None, 9))[0]] == [stays]


async def test_a_deadline_of_a_match_that_is_gone_is_forgotten(store: Client, keepers: list[Timekeeper]) -> None:
    match_id = match_id_for("gone")
    key = deadlines_key(shard_of(match_id))
    await store.zadd(key, {match_id: 1})
    await keepers[0].claim()
    await keepers[0].look()
    assert await store.zscore(key, match_id) is None
