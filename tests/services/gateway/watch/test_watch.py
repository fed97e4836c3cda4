from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from hamle.error.v1.error_pb2 import Reason
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1.play_pb2 import WatchMatchRequest
from redis.asyncio import Redis

from core.errors import Refused
from core.rpc.client import refusal_of
from services.gateway.routing.games import Route
from services.gateway.watch import relay, watching
from tests.services.gateway.exchange.engine import hash_at, until
from tests.services.gateway.play.house import House, house
from tests.services.gateway.routing.fleet import MATCH, announcement
from tests.support.refusals import refused


class Seen:
    """What one watcher is told."""

    def __init__(self, there: House, who: Any, **request: Any) -> None:
        self.frames: list[Any] = []
        self.refused: Refused | None = None
        self.call = there.play.WatchMatch(WatchMatchRequest(match_id=MATCH, **request), metadata=who)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            async for answer in self.call:
                self.frames.append(answer.frame)
        except grpc.aio.AioRpcError as error:
            self.refused = refusal_of(error)

    @property
    def kinds(self) -> list[str]:
        return [frame.WhichOneof("what") for frame in self.frames]

    @property
    def seqs(self) -> list[int]:
        return [frame.step.told.cursor.seq for frame in self.frames if frame.HasField("step")]

    @property
    def ended(self) -> bool:
        return self._reading.done()

    async def leave(self) -> None:
        self.call.cancel()
        await asyncio.gather(self._reading, return_exceptions=True)


async def test_the_first_frames_and_then_each_event_with_its_view(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        await there.submit(anna, "r1")
        await there.submit(anna, "r2")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 4)
        await there.submit(anna, "r3")
        await until(lambda: len(seen.frames) == 5)
        assert seen.kinds == ["joined", "step", "step", "view", "step"]
        assert seen.seqs == [1, 2, 3]
        assert [frame.step.HasField("view") for frame in seen.frames] == [False, False, False, False, True]
        assert seen.frames[4].step.told.cursor.hash == hash_at(MATCH, 3)
        await seen.leave()
        await until(lambda: not len(there.watching))
        await until(lambda: not there.first.watched)


async def test_the_first_frame_names_players_and_says_which_seat_is_whose(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.first.anna = there.second.anna = await there.players.handle_for(MATCH, "account-anna") or ""
        mine, other = Seen(there, anna), Seen(there, there.token("berk"))
        await until(lambda: mine.frames and other.frames)
        own, foreign = mine.frames[0].joined, other.frames[0].joined
        assert [(seat.name, seat.yours) for seat in own.match.seats] == [("anna", True), ("", False)]
        assert [(seat.name, seat.yours) for seat in foreign.match.seats] == [("anna", False), ("", False)]
        assert sorted((own.watchers, foreign.watchers))[-1] == 2
        watches = [call.watch for call in there.first.calls]
        assert sorted(watch.handle for watch in watches) == sorted(["", there.first.anna])


async def test_a_cursor_gets_only_what_it_has_not_seen(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        for i in range(3):
            await there.submit(anna, f"r{i}")
        seen = Seen(there, anna, cursor=Cursor(seq=2, hash=hash_at(MATCH, 2)))
        await until(lambda: len(seen.frames) == 3)
        assert seen.kinds == ["joined", "step", "view"]
        assert seen.seqs == [3]
        assert there.first.calls[-1].watch.cursor == Cursor(seq=2, hash=hash_at(MATCH, 2))


async def test_who_wants_no_views_gets_none(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna, omit_views=True)
        await until(lambda: seen.frames)
        await there.submit(anna, "r1")
        await until(lambda: len(seen.frames) == 2)
        assert seen.kinds == ["joined", "step"]
        assert there.first.calls[0].watch.omit_views


async def play_on(there: House, anna: Any, moves: int, first: int = 0) -> None:
    for i in range(first, first + moves):
        await there.submit(anna, f"r{i}")


async def test_every_event_once_and_in_order_though_engines_die_one_after_the_other(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = [Seen(there, anna), Seen(there, there.token("eve"))]
        await until(lambda: all(len(watcher.frames) == 2 for watcher in seen))
        await play_on(there, anna, 20)
        await there.first.stop()
        await play_on(there, anna, 20, first=20)
        port = there.first.port
        there.table.engines.append(there.first)
        await there.first.start(port)
        await until(lambda: there.routing.directory.owner(Route("coerceo", 7)).address == there.first.address)
        await there.second.stop()
        await play_on(there, anna, 20, first=40)
        await until(lambda: all(len(watcher.seqs) >= 60 for watcher in seen))
        for watcher in seen:
            assert watcher.seqs == list(range(1, 61))
            assert watcher.kinds.count("joined") == 1


async def test_an_engine_that_repeats_and_skips_events_is_put_right(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")

        def mangle(match_id: str, seq: int, frame: bytes) -> list[tuple[int, bytes]]:
            if seq % 5 == 0:
                return []
            before = there.table.step(match_id, seq - 1, True) if seq > 1 else frame
            return [(seq, frame), (max(1, seq - 1), before), (seq, frame)]

        there.first.mangle = mangle
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        for i in range(21):
            await there.submit(anna, f"r{i}")
            if i % 7 == 0:
                await asyncio.sleep(0.05)
        await until(lambda: len(seen.seqs) >= 21)
        assert seen.seqs == list(range(1, 22))


async def test_a_resumed_watch_without_news_is_not_noticed(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        await there.first.stop()
        await until(lambda: there.second.watched)
        await there.submit(anna, "r1")
        await until(lambda: len(seen.frames) == 3)
        assert seen.kinds == ["joined", "view", "step"]


async def test_an_engine_that_drains_hands_its_watchers_over(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        name = there.routing.directory.owner(Route("coerceo", 7)).id
        await there.routing.announce(announcement(name, there.first.address, draining=True))
        there.first.move_away()
        await until(lambda: there.second.watched)
        await there.submit(anna, "r1")
        await until(lambda: seen.seqs == [1])
        assert "moved" not in seen.kinds


async def test_watches_follow_their_match_to_a_new_owner(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        following = asyncio.create_task(there.watching.follow_owners(there.routing.directory))
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        name = there.routing.directory.owner(Route("coerceo", 7)).id
        await there.routing.announce(announcement(name, there.first.address, draining=True))
        await until(lambda: there.second.watched and not there.first.watched)
        await there.routing.announce(announcement(name, there.first.address))
        await until(lambda: there.first.watched and not there.second.watched)
        await there.submit(anna, "r1")
        await until(lambda: seen.seqs == [1])
        assert seen.kinds == ["joined", "view", "step"]
        following.cancel()


async def test_frames_go_the_short_way_where_the_server_has_one(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        seen = Seen(there, await there.sit("anna"))
        await until(lambda: seen.frames)
        (only,) = there.watching._relays
        assert (only._outlet._send is not None) == (kind == "native")


async def test_an_engine_that_falls_silent_is_asked_anew(
    client: Redis, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        monkeypatch.setattr(watching, "TICK_S", 0.3)
        ticking = asyncio.create_task(there.watching.tick())
        there.first.mangle = lambda match_id, seq, frame: []
        await there.submit(anna, "r1")
        await until(lambda: seen.seqs == [1])
        ticking.cancel()


async def test_an_engine_that_says_something_is_let_be(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        (only,) = there.watching._relays
        for told in range(3 * watching.SILENT_TICKS):
            there.first.heartbeat()
            await until(lambda told=told: seen.kinds.count("heartbeat") > told)  # type: ignore[misc]
            only.tick(watching.SILENT_TICKS)
        assert sum(call.WhichOneof("call") == "watch" for call in there.first.calls) == 1


async def test_an_engines_refusal_ends_the_watch_with_its_reason(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.first.refuse = Refused(Reason.REASON_LOG_LOST_TAIL, "events are gone", {"seq": "9", "head_seq": "3"})
        refusal = await refused(there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=anna).read())
        assert refusal.reason == Reason.REASON_LOG_LOST_TAIL
        assert refusal.metadata["head_seq"] == "3"


async def test_a_watch_goes_on_when_its_engine_ends_it_for_a_passing_reason(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        there.first.refuse = Refused(Reason.REASON_STORE_DOWN, "the store is away")
        there.first.end_watches(there.first.refuse)
        await until(lambda: sum(call.WhichOneof("call") == "watch" for call in there.first.calls) >= 3)
        there.first.refuse = None
        await there.submit(anna, "r1")
        await until(lambda: seen.seqs == [1])


async def test_a_first_watch_is_refused_at_once_when_the_store_is_away(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.first.refuse = Refused(Reason.REASON_STORE_DOWN, "the store is away")
        refusal = await refused(there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=anna).read())
        assert refusal.reason == Reason.REASON_STORE_DOWN


async def test_a_gateway_that_goes_tells_watchers_where_to_go_on(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        await there.submit(anna, "r1")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 3)
        await there.submit(anna, "r2")
        there.watching.shut_down()
        await until(lambda: seen.ended)
        assert seen.refused is None
        last = seen.frames[-1].moved
        assert (last.reason, last.cursor.seq) == ("shutdown", seen.seqs[-1])
        assert last.cursor.hash == hash_at(MATCH, last.cursor.seq)
        again = await refused(there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=anna).read())
        assert again.reason == Reason.REASON_SHUTTING_DOWN


async def test_a_gateway_that_goes_while_no_engine_answers_does_not_wait_for_one(
    client: Redis, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(client, kind) as there:
        # Longer than this test waits.
        there.routing.router._patience_s = 60.0
        monkeypatch.setattr(relay, "SUBSCRIBE_MS", 60_000)
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: len(seen.frames) == 2)
        await there.first.stop()
        await there.second.stop()
        await until(lambda: there.routing.router._waiting)
        there.watching.shut_down()
        await until(lambda: seen.ended)
        assert seen.kinds[-1] == "moved"


@pytest.mark.parametrize("bound", ["most_watchers", "most_of_one"])
async def test_more_watchers_than_are_taken_are_refused_with_a_delay(client: Redis, kind: str, bound: str) -> None:
    async with house(client, kind, watching={bound: 1}) as there:
        anna = await there.sit("anna")
        seen = Seen(there, anna)
        await until(lambda: seen.frames)
        refusal = await refused(there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=anna).read())
        assert refusal.reason == Reason.REASON_OVERLOADED
        assert refusal.retry_after_ms > 0


@pytest.mark.parametrize(
    ("cursor", "field"), [(Cursor(seq=1, hash=b"x"), "cursor.hash"), (Cursor(seq=2**63), "cursor.seq")]
)
async def test_a_cursor_that_does_not_fit_is_named(client: Redis, cursor: Cursor, field: str) -> None:
    async with house(client, "native") as there:
        anna = await there.sit("anna")
        call = there.play.WatchMatch(WatchMatchRequest(match_id=MATCH, cursor=cursor), metadata=anna)
        assert (await refused(call.read())).metadata["field"] == field
