"""An engine that stood still reads the store's answer late, when others have long gone on with the match."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from hamle.engine.v1 import engine_pb2

from core.log.types import Append, Appended, Cursor, LogReader, Record
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host.reads import FRESH_S
from tests.engines.kit.host.test_watching import frames
from tests.support.replicas import StartEngine


class LateAnswers:
    """The real appender; its answers are read when `read` is set."""

    def __init__(self, appender: Any) -> None:
        self._appender = appender
        self.sent = asyncio.Event()
        self.read = asyncio.Event()

    def submit(self, append: Append) -> asyncio.Future[Appended]:
        async def late() -> Appended:
            appended: Appended = await self._appender.submit(append)
            self.sent.set()
            await self.read.wait()
            return appended

        return asyncio.ensure_future(late())


async def test_a_read_after_a_late_answer_shows_what_others_wrote_meanwhile(start_engine: StartEngine) -> None:
    stood, other = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await other.create()
    writer = stood.engine._writer
    late = LateAnswers(writer._appender)
    writer._appender = late  # type: ignore[assignment]
    moving = asyncio.ensure_future(stood.move(match_id, "ann", 4, "d1e-d1a"))
    await late.sent.wait()
    head = (await other.move(match_id, "bob", 5, "b4b-b4f")).cursor
    await asyncio.sleep(FRESH_S)
    late.read.set()
    assert (await moving).cursor.seq == 5
    view = await stood.call("GetView", engine_pb2.GetViewRequest(match_id=match_id))
    assert view.view.cursor == head


class LateRecords:
    """The real reader; heads are told at once, records when `read` is set."""

    def __init__(self, reader: LogReader) -> None:
        self._reader = reader
        self.asked = asyncio.Event()
        self.read_on = asyncio.Event()

    async def head(self, match_id: str) -> Cursor:
        return await self._reader.head(match_id)

    async def read(self, match_id: str, after: int = 0) -> AsyncIterator[Sequence[Record]]:
        self.asked.set()
        await self.read_on.wait()
        async for records in self._reader.read(match_id, after):
            yield records


async def test_a_read_while_the_match_is_being_brought_up_to_date_waits_for_it(start_engine: StartEngine) -> None:
    behind, ahead = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await behind.create()
    head = (await ahead.move(match_id, "ann", 4, "d1e-d1a")).cursor
    records = behind.engine._follower._matches.records
    late = records.reader = LateRecords(records.reader)
    await asyncio.sleep(FRESH_S)
    request = engine_pb2.GetViewRequest(match_id=match_id)
    first = asyncio.ensure_future(behind.call("GetView", request))
    await late.asked.wait()
    second = asyncio.ensure_future(behind.call("GetView", request))
    await asyncio.wait([second], timeout=0.5)
    late.read_on.set()
    assert [(await view).view.cursor for view in (first, second)] == [head, head]


async def test_a_load_that_ends_late_gives_way_to_the_match_that_was_put_back_meanwhile(
    start_engine: StartEngine,
) -> None:
    """As when the follower, which still held it, looks at a match that has been thrown out and is loaded anew."""
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    matches = replica.engine._follower._matches
    before = await matches.get(match_id)
    matches.cache.drop(match_id)
    late = matches.records.reader = LateRecords(matches.records.reader)
    loading = asyncio.ensure_future(matches.get(match_id))
    await late.asked.wait()
    assert matches.cache.holds(before)
    watching = replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id))
    while not (await watching.read()).frame.HasField("view"):
        pass
    late.read_on.set()
    assert await loading is before
    await replica.move(match_id, "ann", 4, "d1e-d1a")
    (live,) = await frames(watching, 1)
    assert live.step.told.event.moved.move == "d1e-d1a"
    watching.cancel()
