"""What watchers get over their sockets does not depend on hidden cards: the same frames, the same waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import pytest
from hamle.engine.v1 import engine_pb2
from hamle.match.v1 import match_pb2

from core.log.keys import match_id_for
from engines.itchyfeet.state import State
from tests.engines.itchyfeet.arranged import TURKEY, Arranged
from tests.engines.itchyfeet.table import ALL_ON, position
from tests.support.replicas import Replica

Start = Callable[..., Awaitable[Replica]]
HANDLES: Final = ("s0", "s1", "s2", "s3")
SPECTATOR: Final = ""
SETTLED = 1_700_000_000_000


class Recorded:
    """A match of four with its watchers: seats that are named, and one without a seat."""

    def __init__(self, replica: Replica, match_id: str, watchers: Sequence[str]) -> None:
        self.replica = replica
        self.match_id = match_id
        self.seq = 6  # created, four seats taken, started
        self.watches = {
            who: replica.stream("WatchMatch", engine_pb2.WatchMatchRequest(match_id=match_id, handle=who))
            for who in watchers
        }
        self.frames: dict[str, list[match_pb2.Frame]] = {who: [] for who in watchers}

    async def read(self, count: int) -> None:
        """So many frames of each watch."""
        for who, watch in self.watches.items():
            for _ in range(count):
                answer = await asyncio.wait_for(watch.read(), 20)
                self.frames[who].append(answer.frame)

    async def move(self, seat: int, move: str) -> None:
        """The move, its frame at each watcher, and nothing after it."""
        self.seq = (await self.replica.move(self.match_id, HANDLES[seat], self.seq, move)).cursor.seq
        await self.read(1)

    def told(self, who: str) -> list[tuple[int, bytes]]:
        """Size and bytes of each frame, without what differs between any two matches: ids, hashes, times."""
        return [(frame.ByteSize(), _same_in_all_matches(frame)) for frame in self.frames[who]]


def _same_in_all_matches(frame: match_pb2.Frame) -> bytes:
    settled = match_pb2.Frame()
    settled.CopyFrom(frame)
    if settled.HasField("joined"):
        match = settled.joined.match
        match.match_id, match.commitment, match.created_at_ms, match.head.hash = "", b"", SETTLED, b""
    if settled.HasField("view"):
        settled.view.cursor.hash = b""
    if settled.HasField("step"):
        told = settled.step.told
        told.cursor.hash, told.event.at_ms = b"", SETTLED
        if told.event.HasField("created"):
            told.event.created.commitment = b""
        if settled.step.HasField("view"):
            settled.step.view.cursor.hash = b""
    return settled.SerializeToString(deterministic=True)


async def recorded(start: Start, name: str, state: State, watchers: Sequence[str]) -> Recorded:
    replica = await start(Arranged(state))
    match_id = match_id_for(name)
    request = engine_pb2.CreateMatchRequest(
        match_id=match_id, request_id=name, handle=HANDLES[0], seats=len(HANDLES), options=ALL_ON
    )
    for seat, handle in enumerate(HANDLES[1:], 1):
        request.sitters.add(seat=seat, handle=handle)
    await replica.call("CreateMatch", request)
    match = Recorded(replica, match_id, watchers)
    await match.read(8)  # joined, six events, the view
    return match


def end(match: Recorded) -> None:
    for watch in match.watches.values():
        watch.cancel()


async def pair(start: Start, one: State, other: State, hidden_from: Sequence[str]) -> tuple[Recorded, Recorded]:
    """Two matches that differ in a hand, and begin alike for all but its holder."""
    found = [await recorded(start, name, state, hidden_from) for name, state in (("a", one), ("b", other))]
    return found[0], found[1]


def assert_alike(one: Recorded, other: Recorded) -> None:
    for who in one.watches:
        assert one.told(who) == other.told(who), who
        assert len(one.frames[who]) > 8


@pytest.mark.parametrize("holder", [1, 2, 3])
async def test_a_travel_window_looks_the_same_whether_or_not_a_seat_could_block(
    start_engine: Start, holder: int
) -> None:
    hands = [TURKEY, "camera", "camera", "camera"]
    rich = [*hands]
    rich[holder] = "lost_reservation"
    watchers = [SPECTATOR, *(handle for seat, handle in enumerate(HANDLES) if seat != holder)]
    one, other = await pair(start_engine, position(*hands), position(*rich), watchers)
    order = [*(seat for seat in (3, 1, 2) if seat != holder)]
    for match, answer in ((one, "pass"), (other, "block:lost_reservation")):
        await match.move(0, "travel")
        await match.move(holder, answer)
        await match.move(order[0], "pass")
    assert_alike(one, other)
    assert all(
        frame.step.view.awaited == [order[1]] for frame in (one.frames[SPECTATOR][-1], other.frames[SPECTATOR][-1])
    )
    end(one)
    end(other)


async def test_a_theft_is_asked_about_alike_whether_or_not_the_victim_could_block(start_engine: Start) -> None:
    watchers = [SPECTATOR, "s0", "s2", "s3"]
    one, other = await pair(
        start_engine,
        position("camera camera", "camera sunscreen", "camera", "camera"),
        position("camera camera", "mousetrap sunscreen", "camera", "camera"),
        watchers,
    )
    for match in (one, other):
        await match.move(0, "steal:1:camera")
    assert_alike(one, other)
    assert one.frames[SPECTATOR][-1].step.view.awaited == [1]
    end(one)
    end(other)


async def test_who_may_act_out_of_turn_looks_the_same_whether_or_not_it_holds_a_card_for_it(
    start_engine: Start,
) -> None:
    watchers = [SPECTATOR, "s0", "s2", "s3"]
    one, other = await pair(
        start_engine,
        position("camera camera", "camera", "camera", "camera", pile="sunscreen " * 4),
        position("camera camera", "duty_free_voucher", "camera", "camera", pile="sunscreen " * 4),
        watchers,
    )
    for match in (one, other):
        await match.move(0, "draw")
    assert_alike(one, other)
    assert one.frames[SPECTATOR][-1].step.view.may_act == [0, 1, 2, 3]
    end(one)
    end(other)


async def test_picks_of_a_group_tour_look_the_same_whatever_is_picked(start_engine: Start) -> None:
    hands = ["camera", "camera sunscreen", "camera", "camera"]
    state = position(*hands, pile="group_tour camera")
    one, other = await pair(start_engine, state, state, [SPECTATOR, "s0", "s2", "s3"])
    for match, card in ((one, "camera"), (other, "sunscreen")):
        await match.move(0, "draw")
        await match.move(1, f"pick:{card}")
        await match.move(3, "pick:camera")
    assert_alike(one, other)
    end(one)
    end(other)


async def test_what_a_card_taken_from_a_hand_is_shows_to_both_seats_alone(start_engine: Start) -> None:
    hands: list[Any] = ["sticky_fingers", "camera sunscreen", "camera", "camera"]
    state = position(*hands, discard="mousetrap")
    one, other = await pair(start_engine, state, state, [SPECTATOR, "s2", "s3"])
    for match, card in ((one, "camera"), (other, "sunscreen")):
        await match.move(0, "play:sticky_fingers:1")
        await match.move(0, f"take:{card}")
    assert_alike(one, other)
    end(one)
    end(other)
