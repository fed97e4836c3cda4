"""The store forgets acknowledged events, as after a failover to a replica that lagged behind."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from hamle.engine.v1 import engine_pb2
from hamle.match.v1 import match_pb2

from core.log.keys import log_key, lost_key
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host.reads import FRESH_S
from tests.engines.kit.host.test_watching import frames
from tests.support.rawlog import entries, put_in_place
from tests.support.refusals import reason
from tests.support.replicas import Replica, StartEngine
from tests.support.waiting import LONG_S

OPENING = ("d1e-d1a", "b4b-b4f", "d4a-c5c", "b1d-b1f")


async def cut(store: Client, match_id: str, keep: int) -> None:
    """The log with its first events alone, as the promoted replica would hold it."""
    await put_in_place(store, match_id, await entries(store, match_id, keep))


async def played(replica: Replica, name: str = "m") -> str:
    """A match with events 1 to 8."""
    match_id = await replica.create(name)
    for number, move in enumerate(OPENING):
        await replica.move(match_id, ("ann", "bob")[number % 2], 4 + number, move)
    return match_id


async def accept(replica: Replica, match_id: str, last: int) -> Any:
    request = engine_pb2.AcceptTailLossRequest(match_id=match_id, last_known_seq=last)
    return await replica.call("AcceptTailLoss", request)


async def test_a_replica_that_never_saw_the_lost_events_is_kept_from_playing_over_them(
    start_engine: StartEngine, store: Client
) -> None:
    knows, cold = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await played(knows)
    await cut(store, match_id, 6)
    assert await reason(knows.move(match_id, "ann", 8, "d1a-d1e")) == "LOG_LOST_TAIL"
    assert await reason(cold.move(match_id, "ann", 6, OPENING[2])) == "LOG_LOST_TAIL"
    resign = engine_pb2.ExecuteRequest(match_id=match_id, handle="bob", request_id="r")
    resign.resign.SetInParent()
    assert await reason(cold.call("Execute", resign)) == "LOG_LOST_TAIL"
    assert await reason(cold.call("GetView", engine_pb2.GetViewRequest(match_id=match_id))) == "LOG_LOST_TAIL"
    assert await store.xlen(log_key(match_id)) == 6


async def test_play_goes_on_at_all_replicas_once_an_operator_accepts_the_loss_at_one(
    start_engine: StartEngine, store: Client
) -> None:
    knows, cold = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await played(knows)
    await cut(store, match_id, 6)
    assert await reason(knows.move(match_id, "ann", 8, "d1a-d1e")) == "LOG_LOST_TAIL"
    assert (await accept(cold, match_id, 8)).cursor.seq == 7
    assert not await store.exists(lost_key(match_id))
    assert (await knows.move(match_id, "ann", 7, OPENING[2], request_id="again")).cursor.seq == 8
    assert (await cold.move(match_id, "bob", 8, OPENING[3], request_id="again")).cursor.seq == 9
    assert await reason(accept(knows, match_id, 9)) == "NO_TAIL_LOST"


async def test_a_loss_where_another_was_accepted_before_is_a_loss_too(start_engine: StartEngine, store: Client) -> None:
    knows = await start_engine(COERCEO)
    match_id = await played(knows)
    await cut(store, match_id, 6)
    await accept(knows, match_id, 8)
    assert (await knows.move(match_id, "ann", 7, OPENING[2], request_id="again")).cursor.seq == 8
    await knows.stop()
    await cut(store, match_id, 7)
    cold = await start_engine(COERCEO)
    assert await reason(cold.move(match_id, "bob", 8, OPENING[3], request_id="again")) == "LOG_LOST_TAIL"
    request = engine_pb2.WatchMatchRequest(match_id=match_id, cursor=match_pb2.Cursor(seq=8, hash=bytes(16)))
    assert await reason(frames(cold.stream("WatchMatch", request), 1)) == "LOG_LOST_TAIL"


async def test_an_operator_need_not_say_what_the_engines_remember(start_engine: StartEngine, store: Client) -> None:
    knows, cold = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await played(knows)
    assert await reason(accept(cold, match_id, 0)) == "NO_TAIL_LOST"
    await cut(store, match_id, 6)
    assert await reason(knows.move(match_id, "ann", 8, "d1a-d1e")) == "LOG_LOST_TAIL"
    assert (await accept(cold, match_id, 0)).cursor.seq == 7
    told = await cold.call("ListEvents", engine_pb2.ListEventsRequest(match_id=match_id, after_seq=6, limit=1))
    lost = told.events[0].event.tail_lost
    assert (getattr(lost, "from"), lost.to) == (7, 8)


async def test_a_lost_tail_that_was_played_over_is_found_and_the_match_stops(
    start_engine: StartEngine, store: Client
) -> None:
    knows, cold = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await played(knows)
    await cut(store, match_id, 6)
    head = 6
    for handle, move in (("ann", "d1a-d1e"), ("bob", "b4f-b4b"), ("ann", OPENING[0])):
        head = (await cold.move(match_id, handle, head, move, request_id=f"over-{head}")).cursor.seq
    assert await reason(knows.move(match_id, "ann", 8, "d1a-d1e")) == "LOG_LOST_TAIL"
    assert await reason(cold.move(match_id, "bob", head, OPENING[1])) == "LOG_LOST_TAIL"
    third = await start_engine(COERCEO)
    assert (await accept(third, match_id, 8)).cursor.seq == head + 1
    assert (await cold.move(match_id, "bob", head + 1, OPENING[1], request_id="on")).cursor.seq == head + 2


async def test_watches_end_when_the_store_names_another_history(start_engine: StartEngine, store: Client) -> None:
    replica = await start_engine(COERCEO)
    match_id = await played(replica)
    watching = replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id))
    await frames(watching, 10)
    await cut(store, match_id, 6)
    replica.engine._follower.renewed(frozenset({int(match_id[:2])}))
    assert await reason(frames(watching, 1)) == "LOG_LOST_TAIL"
    assert await store.get(lost_key(match_id)) == b"8"


async def test_a_watch_of_the_lost_history_ends_when_the_loss_is_accepted_before_it_was_noticed(
    start_engine: StartEngine, store: Client
) -> None:
    replica, other = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await played(replica)
    watching = replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id))
    await frames(watching, 10)
    await cut(store, match_id, 6)
    await accept(other, match_id, 8)
    for _ in range(3):
        await other.move(match_id, "ann", 7, OPENING[2], request_id="again")
    assert await reason(frames(watching, 1)) in ("LOG_LOST_TAIL", "HASH_MISMATCH")
    begun = replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id))
    told = await frames(begun, 10)
    assert [frame.step.told.event.WhichOneof("body") for frame in told[1:9]][6:] == ["tail_lost", "moved"]
    assert told[9].view.cursor == match_pb2.Cursor(seq=8, hash=told[8].step.told.cursor.hash)
    begun.cancel()


async def test_a_match_of_which_nothing_is_left_is_refused_where_it_was_known(
    start_engine: StartEngine, store: Client
) -> None:
    knows, cold = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await played(knows)
    await store.delete(log_key(match_id))
    assert await reason(knows.move(match_id, "ann", 8, "d1a-d1e")) == "LOG_LOST_TAIL"
    assert await reason(cold.move(match_id, "ann", 8, "d1a-d1e")) == "MATCH_NOT_FOUND"
    assert await reason(accept(knows, match_id, 8)) == "MATCH_NOT_FOUND"


async def test_a_match_that_never_started_and_has_expired_is_not_found_and_not_lost(
    start_engine: StartEngine, store: Client
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create(sit=False)
    leave = engine_pb2.ExecuteRequest(match_id=match_id, handle="ann", request_id="leave")
    leave.leave_seat.SetInParent()
    await replica.call("Execute", leave)
    watching = replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id))
    await frames(watching, 1)
    await store.pexpire(log_key(match_id), 1)
    await asyncio.sleep(FRESH_S)  # reads may be so old
    assert await reason(replica.call("GetMatch", engine_pb2.GetMatchRequest(match_id=match_id))) == "MATCH_NOT_FOUND"
    assert await reason(_rest(watching)) == "MATCH_NOT_FOUND"
    assert match_id not in [match.match_id for match in replica.engine._follower._matches.cache.matches()]


async def _rest(watching: Any) -> None:
    """Reads until it is refused."""
    async with asyncio.timeout(LONG_S):
        while await watching.read() is not grpc.aio.EOF:  # type: ignore[attr-defined]
            continue
