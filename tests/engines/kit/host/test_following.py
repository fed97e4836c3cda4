"""What other replicas append reaches watches by the feeds, whatever happens meanwhile; no heartbeat helps here."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN

from core.errors import Refused
from core.log.feed import Fed
from core.log.keys import match_id_for, shard_of
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host import follow
from tests.engines.kit.host.test_watching import frames, watch
from tests.support.replicas import StartEngine
from tests.support.waiting import until

MOVE = "d1e-d1a"


@pytest.fixture(autouse=True)
def no_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "HEARTBEAT_S", 1e9)


async def test_a_match_that_is_made_warm_while_the_feeds_are_read_is_brought_up_to_date(
    start_engine: StartEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await start_engine(COERCEO), await start_engine(COERCEO)
    shard = shard_of(match_id_for("m"))
    other = next(name for name in map(str, range(10_000)) if shard_of(match_id_for(name)) == shard)
    feeds = here.engine._feeds
    watches = [watch(here, await there.create(other))]
    await frames(watches[0], 6)
    await until(lambda: shard in feeds.shards)
    match_id = await there.create("m")
    poll = feeds.poll

    async def watched_and_moved() -> Fed:
        monkeypatch.setattr(feeds, "poll", poll)
        watches.append(watch(here, match_id))
        await frames(watches[1], 6)
        await there.move(match_id, "ann", 4, MOVE)
        moved.set()
        return await poll()

    moved = asyncio.Event()
    monkeypatch.setattr(feeds, "poll", watched_and_moved)
    await moved.wait()
    (live,) = await frames(watches[1], 1)
    assert live.step.told.event.moved.move == MOVE
    for watching in watches:
        watching.cancel()


async def test_what_was_appended_before_a_shard_was_followed_is_found_also_after_the_store_was_away(
    start_engine: StartEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await there.create()
    feeds = here.engine._feeds
    start, poll = feeds.start, feeds.poll

    async def moved_before(shards: Any) -> None:
        if shards:
            monkeypatch.setattr(feeds, "start", start)
            monkeypatch.setattr(feeds, "poll", away)
            await there.move(match_id, "ann", 4, MOVE)
        await start(shards)

    async def away() -> Fed:
        monkeypatch.setattr(feeds, "poll", poll)
        raise Refused(REASON_STORE_DOWN, "The store is away for a moment.")

    monkeypatch.setattr(feeds, "start", moved_before)
    watching = watch(here, match_id)
    *_, live = await frames(watching, 7)
    assert live.step.told.event.moved.move == MOVE
    watching.cancel()
