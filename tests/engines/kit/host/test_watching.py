from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.match.v1 import match_pb2

from core.log.reader import RedisLogReader
from core.log.types import Cursor, Record
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host import outbox
from engines.kit.host.warm import WarmCache
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.support.rawlog import entries
from tests.support.refusals import reason
from tests.support.replicas import Replica, StartEngine
from tests.support.servers import StoreServer
from tests.support.waiting import LONG_S, until

OPENING = ("d1e-d1a", "b4b-b4f", "d4a-c5c", "b1d-b1f")


async def frames(watch: Any, count: int) -> list[match_pb2.Frame]:
    """The next frames but for heartbeats, which come when they come."""
    found: list[match_pb2.Frame] = []
    async with asyncio.timeout(LONG_S):
        while len(found) < count:
            frame = (await watch.read()).frame
            if not frame.HasField("heartbeat"):
                found.append(frame)
    return found


def kinds(found: list[match_pb2.Frame]) -> list[str]:
    return [str(frame.WhichOneof("what")) for frame in found]


def watch(
    replica: Replica, match_id: str, handle: str = "", cursor: match_pb2.Cursor | None = None, **more: Any
) -> Any:
    request = engine_pb2.WatchMatchRequest(match_id=match_id, handle=handle, cursor=cursor, **more)
    return replica.stream("WatchMatch", request)


async def test_a_watch_begins_with_the_match_the_missing_events_and_one_view(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    watching = watch(replica, match_id)
    begun = await frames(watching, 6)
    assert kinds(begun) == ["joined", "step", "step", "step", "step", "view"]
    assert [frame.step.told.cursor.seq for frame in begun[1:5]] == [1, 2, 3, 4]
    assert not any(frame.step.HasField("view") for frame in begun[1:5])
    await replica.move(match_id, "ann", 4, OPENING[0])
    (live,) = await frames(watching, 1)
    assert live.step.told.event.moved.move == OPENING[0]
    assert live.step.view.cursor == live.step.told.cursor
    watching.cancel()


async def test_a_watch_goes_on_from_its_cursor(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    cursor = (await replica.move(match_id, "ann", 4, OPENING[0])).cursor
    await replica.move(match_id, "bob", 5, OPENING[1])
    watching = watch(replica, match_id, cursor=cursor)
    begun = await frames(watching, 3)
    assert kinds(begun) == ["joined", "step", "view"]
    assert begun[1].step.told.cursor.seq == 6
    watching.cancel()


async def test_events_of_another_replica_reach_a_watch(start_engine: StartEngine) -> None:
    here, there = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await here.create()
    watching = watch(here, match_id)
    await frames(watching, 6)
    seq = 4
    for number, move in enumerate(OPENING):
        replica = (there, here)[number % 2]
        seq = (await replica.move(match_id, ("ann", "bob")[number % 2], seq, move)).cursor.seq
    steps = await frames(watching, 4)
    assert [frame.step.told.cursor.seq for frame in steps] == [5, 6, 7, 8]
    assert [frame.step.told.event.moved.move for frame in steps] == list(OPENING)
    watching.cancel()


async def test_a_watch_with_another_history_or_a_later_cursor_is_refused(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    for cursor, expected in (
        (match_pb2.Cursor(seq=4, hash=bytes(16)), "HASH_MISMATCH"),
        (match_pb2.Cursor(seq=9, hash=bytes(16)), "LOG_LOST_TAIL"),
    ):
        assert await reason(frames(watch(replica, match_id, cursor=cursor), 1)) == expected


async def test_a_watch_that_is_read_too_slowly_ends_with_that_reason(
    start_engine: StartEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    monkeypatch.setattr(outbox, "LIMIT_BYTES", 10)
    assert await reason(frames(watch(replica, match_id), 1)) == "WATCHER_TOO_SLOW"


async def test_frames_hold_what_the_audience_may_know_and_nothing_else(start_engine: StartEngine) -> None:
    replica = await start_engine(CELLAR)
    match_id = await replica.create()
    watches = {handle: watch(replica, match_id, handle) for handle in ("ann", "bob", "")}
    for watching in watches.values():
        await frames(watching, 6)
    choices = await replica.call("ListChoices", engine_pb2.ListChoicesRequest(match_id=match_id, handle="ann"))
    stake = choices.choices[0].text
    await replica.move(match_id, "ann", 4, stake)
    told = {handle: (await frames(watching, 1))[0] for handle, watching in watches.items()}
    assert told["ann"].step.told.event.moved.move == stake
    for handle in ("bob", ""):
        assert stake.encode() not in told[handle].SerializeToString()
        assert told[handle].step.told.event.moved.move != stake
    for frame in told.values():
        assert not frame.step.told.event.HasField("request")
    for watching in watches.values():
        watching.cancel()


async def test_the_secret_is_told_to_nobody_before_the_end_and_to_all_after_it(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    watching = watch(replica, match_id, "ann")
    begun = await frames(watching, 6)
    assert not begun[1].step.told.event.created.HasField("secret")
    resign = engine_pb2.ExecuteRequest(match_id=match_id, handle="bob", request_id="r")
    resign.resign.SetInParent()
    await replica.call("Execute", resign)
    end = await frames(watching, 3)
    assert [frame.step.told.event.WhichOneof("body") for frame in end] == ["resigned", "finished", "secret_revealed"]
    assert len(end[2].step.told.event.secret_revealed.secret) == 32
    records = [
        record async for record in replica.stream("ExportMatch", engine_pb2.ExportMatchRequest(match_id=match_id))
    ]
    assert not any(record.redacted for record in records)
    assert all(record.canonical for record in records)
    watching.cancel()


async def test_the_export_of_a_live_match_is_redacted(start_engine: StartEngine, store: Client) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    records = [
        record async for record in replica.stream("ExportMatch", engine_pb2.ExportMatchRequest(match_id=match_id))
    ]
    assert all(record.redacted and not record.canonical for record in records)
    raw = [fields[b"e"] for _, fields in await entries(store, match_id)]
    assert records[0].event != raw[0]
    assert len(records) == len(raw)


async def test_old_events_are_folded_anew_for_who_asks(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create(options={"repetition_draw": "off"})
    seq = 4
    for number in range(80):
        move = ("d1e-d1a", "b4b-b4f", "d1a-d1e", "b4f-b4b")[number % 4]
        seq = (await replica.move(match_id, ("ann", "bob")[number % 2], seq, move)).cursor.seq
    watching = watch(replica, match_id)
    begun = await frames(watching, 86)
    assert [frame.step.told.cursor.seq for frame in begun[1:85]] == list(range(1, 85))
    step = await replica.call("GetStep", engine_pb2.GetStepRequest(match_id=match_id, seq=7))
    assert step.step.told.cursor == begun[7].step.told.cursor
    assert step.step.view.cursor.seq == 7
    events = await replica.call("ListEvents", engine_pb2.ListEventsRequest(match_id=match_id, after_seq=10, limit=5))
    assert [told.cursor.seq for told in events.events] == [11, 12, 13, 14, 15]
    watching.cancel()


async def test_an_engine_that_stops_ends_its_watches_in_time(start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    watching = watch(replica, match_id)
    await frames(watching, 6)
    await asyncio.wait_for(replica.stop(), LONG_S)


async def test_a_watch_is_told_moves_also_where_more_is_watched_than_may_be_kept_in_memory(
    start_engine: StartEngine,
) -> None:
    replica = await start_engine(COERCEO)
    replica.engine._follower._matches.cache = WarmCache(1)
    first, second = await replica.create("first"), await replica.create("second")
    watches = []
    for match_id in (first, second):
        watches.append(watch(replica, match_id))
        await frames(watches[-1], 6)
    for match_id, watching in zip((first, second), watches, strict=True):
        await replica.move(match_id, "ann", 4, OPENING[0])
        (live,) = await frames(watching, 1)
        assert live.step.told.event.moved.move == OPENING[0]
        watching.cancel()


async def test_a_match_that_is_loaded_twice_is_one_to_watch_and_to_play(start_engine: StartEngine) -> None:
    """As when the first is thrown out of the memory before who asked for it has come to lock it."""
    replica = await start_engine(COERCEO)
    matches = replica.engine._follower._matches
    match_id = await replica.create()
    before = await matches.get(match_id)
    async with before.lock:
        moving = asyncio.ensure_future(replica.move(match_id, "ann", 4, OPENING[0]))
        await until(lambda: bool(before.lock._waiting))
        matches.cache.drop(match_id)
        watching = watch(replica, match_id)
        await frames(watching, 6)
    await moving
    (live,) = await frames(watching, 1)
    assert live.step.told.event.moved.move == OPENING[0]
    watching.cancel()


class Ending:
    """The real reader, record by record; the store is gone after the first one."""

    def __init__(self, reader: RedisLogReader, server: StoreServer) -> None:
        self._reader = reader
        self._reader._batch = 1
        self._server = server
        self.ended = asyncio.Event()

    async def head(self, match_id: str) -> Cursor:
        return await self._reader.head(match_id)

    async def read(self, match_id: str, after: int = 0) -> AsyncIterator[Sequence[Record]]:
        async for records in self._reader.read(match_id, after):
            yield records
            if not self.ended.is_set():
                await asyncio.to_thread(self._server.kill)
                self.ended.set()


async def test_what_was_read_before_the_store_was_lost_is_told(
    start_engine: StartEngine, start_server: Callable[..., StoreServer]
) -> None:
    server = start_server()
    here, there = await start_engine(COERCEO, over=server), await start_engine(COERCEO, over=server)
    match_id = await here.create()
    watching = watch(here, match_id)
    await frames(watching, 6)
    matches = here.engine._follower._matches
    assert isinstance(matches.records.reader, RedisLogReader)
    async with (await matches.get(match_id)).lock:
        for number, move in enumerate(OPENING):
            await there.move(match_id, ("ann", "bob")[number % 2], 4 + number, move)
        matches.records.reader = ending = Ending(matches.records.reader, server)
    await ending.ended.wait()
    await asyncio.to_thread(server.start)
    async with asyncio.timeout(60):
        steps = [(await watching.read()).frame.step for _ in OPENING]
    assert [step.told.cursor.seq for step in steps] == [5, 6, 7, 8]
    watching.cancel()
