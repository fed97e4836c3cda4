"""Watchers that do not read."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from hamle.error.v1.error_pb2 import Reason
from hamle.play.v1.play_pb2 import WatchMatchRequest
from redis.asyncio import Redis

from core.rpc.client import refusal_of
from tests.services.gateway.exchange.engine import until
from tests.services.gateway.play.house import House, house
from tests.services.gateway.routing.fleet import MATCH


async def flood(there: House, anna: Any, frames: int) -> None:
    """Moves whose events are large."""
    first = len(there.table.moves[MATCH])
    for i in range(first, first + frames):
        await there.submit(anna, f"flood{i}", move="x" * 1000)


async def stuck(there: House, who: Any) -> Any:
    """A watch on a connection of its own whose client reads one frame and then nothing."""
    channel = grpc.aio.insecure_channel(
        f"127.0.0.1:{there.server.port}",
        options=[
            ("grpc.http2.lookahead_bytes", 4096),
            ("grpc.http2.bdp_probe", 0),
            ("grpc.use_local_subchannel_pool", 1),
        ],
    )
    call = channel.unary_stream("/hamle.play.v1.PlayService/WatchMatch", None, None)(
        WatchMatchRequest(match_id=MATCH).SerializeToString(), metadata=who
    )
    await call.read()
    return channel, call


async def read_all(call: Any) -> None:
    while await call.read():
        pass


async def test_who_does_not_read_is_ended_with_the_last_cursor_and_harms_nobody(client: Redis, kind: str) -> None:
    async with house(client, kind, watching={"most_queued_bytes": 100_000}) as there:
        anna = await there.sit("anna")
        channel, call = await stuck(there, anna)
        reading = there.play.WatchMatch(WatchMatchRequest(match_id=MATCH), metadata=anna)
        seqs: list[int] = []

        async def read() -> None:
            async for answer in reading:
                if answer.frame.HasField("step"):
                    seqs.append(answer.frame.step.told.cursor.seq)

        reader = asyncio.create_task(read())
        await until(lambda: len(there.watching) == 2)
        while len(there.watching) == 2 and len(there.table.moves[MATCH]) < 20_000:
            await flood(there, anna, 50)
        await until(lambda: len(there.watching) == 1)
        await until(lambda: len(seqs) == len(there.table.moves[MATCH]))
        assert seqs == list(range(1, len(seqs) + 1))
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await read_all(call)
        refused = refusal_of(error.value)
        assert refused is not None
        assert refused.reason == Reason.REASON_WATCHER_TOO_SLOW
        assert int(refused.metadata["cursor_seq"]) > 0
        await channel.close(None)
        reader.cancel()


async def test_a_gateway_goes_though_a_watcher_does_not_read(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        stuck_ones = [await stuck(there, anna) for _ in range(8)]
        for _ in range(40):
            if there.watching.budget.waiting:
                break
            await flood(there, anna, 200)
        assert there.watching.budget.waiting
        there.watching.shut_down()
        await until(lambda: not len(there.watching))
        async with asyncio.timeout(60):
            await there.server.stop(1.0)
        for channel, _ in stuck_ones:
            await channel.close(None)


async def test_a_gateway_goes_though_a_watcher_reads_a_little_more_and_then_nothing(client: Redis, kind: str) -> None:
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        channel, call = await stuck(there, anna)
        while there.watching.budget.waiting < 300_000:
            await flood(there, anna, 200)
        there.watching.shut_down()
        for _ in range(50):
            await call.read()
        await until(lambda: not len(there.watching))
        await channel.close(None)
