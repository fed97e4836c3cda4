from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from hamle.engine.v1 import engine_pb2_grpc
from hamle.engine.v1.engine_pb2 import DescribeGameRequest, ExecuteRequest, ExecuteResponse, Submit, WatchMatchRequest
from hamle.error.v1.error_pb2 import REASON_DEADLINE_EXPIRED, REASON_ILLEGAL_MOVE, REASON_OVERLOADED
from hamle.match.v1.match_pb2 import Cursor

from core.errors import Refused
from services.gateway.exchange import wire
from services.gateway.exchange.exchange import Exchange
from services.gateway.exchange.lost import ConnectionLost
from tests.services.gateway.exchange.engine import Engine, Table, engine_for, until

MATCH = "07aaaaaaaaaaaaaaaa"


class Line:
    """A channel to an engine and an exchange over it."""

    def __init__(self, engine: Engine, **limits: Any) -> None:
        self.channel = grpc.aio.insecure_channel(engine.address)
        self.stub = engine_pb2_grpc.EngineServiceStub(self.channel)
        self.lost: list[str] = []
        self.batches: list[int] = []
        stream = self.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)(  # type: ignore[call-arg]
            metadata=(("authorization", "Bearer fleet"),)
        )
        self.exchange = Exchange("r1", stream, self.alive, self.lost.append, on_batch=self.batches.append, **limits)

    async def alive(self) -> bool:
        try:
            await self.stub.DescribeGame(DescribeGameRequest(), timeout=3)
        except grpc.aio.AioRpcError:
            return False
        return True


@asynccontextmanager
async def line(**limits: Any) -> AsyncIterator[tuple[Engine, Line]]:
    engine = await engine_for(Table(MATCH))
    there = Line(engine, **limits)
    try:
        yield engine, there
    finally:
        await there.exchange.close()
        await there.channel.close(None)
        await engine.stop()


def submit(request_id: str, move: str = "d1e") -> bytes:
    request = ExecuteRequest(match_id=MATCH, handle="h", request_id=request_id, submit=Submit(moves=[move]))
    return wire.payload(wire.EXECUTE, request.SerializeToString())


async def test_an_answer_finds_its_call() -> None:
    async with line() as (_, there):
        answers = await asyncio.gather(*(there.exchange.ask(submit(f"r{i}"), 1000) for i in range(5)))
        seqs = [ExecuteResponse.FromString(answer).cursor.seq for answer in answers]
        assert seqs == [1, 2, 3, 4, 5]
        assert there.exchange.outstanding == 0


async def test_calls_in_flight_share_batches() -> None:
    async with line() as (engine, there):
        await there.exchange.ask(submit("first"), 1000)
        await asyncio.gather(*(there.exchange.ask(submit(f"r{i}"), 1000) for i in range(200)))
        assert sum(engine.batches) == 201
        assert len(engine.batches) <= 20
        assert there.batches == engine.batches


async def test_a_rejection_is_raised_as_it_is() -> None:
    async with line() as (engine, there):
        engine.refuse = Refused(REASON_ILLEGAL_MOVE, "no", {"move": "x"}, retry_after_ms=7)
        with pytest.raises(Refused) as refused:
            await there.exchange.ask(submit("r"), 1000)
        assert (refused.value.reason, refused.value.message) == (REASON_ILLEGAL_MOVE, "no")
        assert (refused.value.metadata, refused.value.retry_after_ms) == ({"move": "x"}, 7)


async def test_a_cancelled_caller_is_forgotten_and_harms_nobody() -> None:
    async with line() as (engine, there):
        engine.gate = asyncio.Event()
        leaving = asyncio.create_task(there.exchange.ask(submit("r1"), 1000))
        staying = asyncio.create_task(there.exchange.ask(submit("r2"), 1000))
        await until(lambda: engine.calls)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert there.exchange.outstanding == 1
        engine.gate.set()
        assert ExecuteResponse.FromString(await staying).cursor.seq == 2


async def test_calls_beyond_the_bound_are_refused_with_a_delay() -> None:
    async with line(most_outstanding=3) as (engine, there):
        engine.gate = asyncio.Event()
        waiting = [asyncio.create_task(there.exchange.ask(submit(f"r{i}"), 1000)) for i in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await there.exchange.ask(submit("r4"), 1000)
        assert refused.value.reason == REASON_OVERLOADED
        assert refused.value.retry_after_ms > 0
        engine.gate.set()
        await asyncio.gather(*waiting)


async def test_calls_in_flight_fail_when_the_engine_dies() -> None:
    async with line() as (engine, there):
        engine.gate = asyncio.Event()
        waiting = [asyncio.create_task(there.exchange.ask(submit(f"r{i}"), 5000)) for i in range(3)]
        await until(lambda: len(engine.calls) == 3)
        await engine.stop()
        results = await asyncio.gather(*waiting, return_exceptions=True)
        assert [type(result) for result in results] == [ConnectionLost] * 3
        assert there.exchange.closed
        assert len(there.lost) == 1
        with pytest.raises(ConnectionLost):
            await there.exchange.ask(submit("r"), 1000)


async def test_a_lost_stream_leaves_no_task_behind() -> None:
    async with line() as (engine, there):
        await there.exchange.ask(submit("r"), 1000)
        await engine.stop()
        await until(lambda: there.lost)
        await until(lambda: not [task for task in asyncio.all_tasks() if task.get_name().startswith("exchange-")])


async def test_a_stream_to_a_port_where_nobody_listens_is_lost() -> None:
    engine = await engine_for(Table())
    await engine.stop()
    there = Line(engine)
    with pytest.raises(ConnectionLost):
        await there.exchange.ask(submit("r"), 1000)
    await there.exchange.close()
    await there.channel.close(None)


async def test_a_wrong_credential_loses_the_stream() -> None:
    async with line() as (engine, there):
        await there.exchange.ask(submit("r"), 1000)
        engine.credential = "another"
        other = Line(engine)
        # gRPC tells why most of the time, and now and then only that the stream is gone.
        with pytest.raises(ConnectionLost, match=r"ended: (UNAUTHENTICATED|INTERNAL)"):
            await other.exchange.ask(submit("r2"), 1000)
        await other.exchange.close()
        await other.channel.close(None)
        assert not there.lost


async def test_an_engine_that_stops_answering_is_given_up() -> None:
    async with line(stall_s=0.5) as (engine, there):
        await there.exchange.ask(submit("r1"), 1000)
        engine.deaf = True
        with pytest.raises(ConnectionLost, match="stopped answering"):
            await there.exchange.ask(submit("r2"), 60_000)
        assert there.lost == ["the engine has stopped answering"]


async def test_an_engine_that_is_slow_but_alive_is_waited_for() -> None:
    async with line(stall_s=0.5) as (engine, there):
        engine.gate = asyncio.Event()
        asking = asyncio.create_task(there.exchange.ask(submit("r1"), 60_000))
        await asyncio.sleep(1.6)
        assert not asking.done()
        engine.gate.set()
        assert ExecuteResponse.FromString(await asking).cursor.seq == 1
        assert not there.lost


async def test_a_call_that_is_never_answered_ends_at_the_limit() -> None:
    async with line(stall_s=0.5, limit_s=1.0) as (engine, there):
        engine.gate = asyncio.Event()
        with pytest.raises(Refused) as refused:
            await there.exchange.ask(submit("r1"), 60_000)
        assert refused.value.reason == REASON_DEADLINE_EXPIRED
        assert engine.calls[0].timeout_ms == 1000
        assert there.exchange.outstanding == 0
        engine.gate.set()


class Listener:
    def __init__(self) -> None:
        self.frames: list[tuple[str, int]] = []
        self.why: Refused | None = None
        self.was_lost = False

    def pushed(self, kind: str, seq: int, state_hash: bytes, frame: bytes) -> None:
        self.frames.append((kind, seq))

    def ended(self, why: Refused) -> None:
        self.why = why

    def lost(self) -> None:
        self.was_lost = True


def watch(match_id: str = MATCH, seq: int = 0) -> bytes:
    request = WatchMatchRequest(match_id=match_id, cursor=Cursor(seq=seq))
    return wire.payload(wire.WATCH, request.SerializeToString())


async def test_frames_find_their_watchers_until_they_leave() -> None:
    async with line() as (engine, there):
        anna, berk = Listener(), Listener()
        watching = there.exchange.watch(watch(), anna)
        there.exchange.watch(watch(), berk)
        await until(lambda: len(berk.frames) == 2)
        await there.exchange.ask(submit("r1"), 1000)
        await until(lambda: len(anna.frames) == len(berk.frames) == 3)
        there.exchange.unwatch(watching)
        there.exchange.unwatch(watching)
        await there.exchange.ask(submit("r2"), 1000)
        await until(lambda: len(berk.frames) == 4)
        assert anna.frames == [("joined", 0), ("view", 0), ("step", 1)]
        assert berk.frames == [*anna.frames, ("step", 2)]
        assert there.exchange.watches == 1
        assert sum(len(stream.watches) for stream in engine.streams) == 1


async def test_a_refused_watch_is_told_and_forgotten() -> None:
    async with line() as (_, there):
        anna = Listener()
        there.exchange.watch(watch("08aaaaaaaaaaaaaaaa"), anna)
        await until(lambda: anna.why)
        assert there.exchange.watches == 0


async def test_a_watch_that_a_dead_engine_never_begins_counts_as_waiting() -> None:
    async with line(stall_s=0.5) as (engine, there):
        engine.deaf = True
        anna = Listener()
        there.exchange.watch(watch(), anna)
        await until(lambda: anna.was_lost)
        assert there.exchange.closed


async def test_watchers_are_told_when_the_engine_dies() -> None:
    async with line() as (engine, there):
        anna = Listener()
        there.exchange.watch(watch(), anna)
        await until(lambda: anna.frames)
        await engine.stop()
        await until(lambda: anna.was_lost)
        with pytest.raises(ConnectionLost):
            there.exchange.watch(watch(), anna)


async def test_close_ends_the_stream_in_an_orderly_way() -> None:
    async with line() as (engine, there):
        await there.exchange.ask(submit("r1"), 1000)
        assert len(engine.streams) == 1
        await there.exchange.close()
        await until(lambda: not engine.streams)
        assert not there.lost


async def test_bytes_that_are_no_exchange_response_lose_the_stream() -> None:
    async with line() as (engine, there):
        await there.exchange.ask(submit("r1"), 1000)
        engine.garble()
        await until(lambda: there.lost)
        assert "not an ExchangeResponse" in there.lost[0]
