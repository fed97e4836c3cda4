"""Bytes that nobody meant, sent to every method of the play path."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import grpc
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1 import play_pb2 as play
from hamle.replay.v1 import replay_pb2 as replay
from redis.asyncio import Redis

from core.rpc.client import refusal_of
from tests.services.gateway.play.house import House, Metadata, house
from tests.services.gateway.routing.fleet import MATCH

CURSOR = Cursor(seq=1, hash=b"h" * 16)
MEANT: dict[str, Any] = {
    "play.v1.PlayService/SubmitMoves": play.SubmitMovesRequest(
        match_id=MATCH, request_id="r", expected=CURSOR, moves=["d1e"]
    ),
    "play.v1.PlayService/ListChoices": play.ListChoicesRequest(match_id=MATCH, prefix="d"),
    "play.v1.PlayService/GetView": play.GetViewRequest(match_id=MATCH),
    "play.v1.PlayService/UndoMoves": play.UndoMovesRequest(match_id=MATCH, request_id="r", expected=CURSOR, to_seq=1),
    "play.v1.PlayService/Resign": play.ResignRequest(match_id=MATCH, request_id="r"),
    "play.v1.PlayService/WatchMatch": play.WatchMatchRequest(match_id=MATCH, cursor=CURSOR),
    "replay.v1.ReplayService/GetStep": replay.GetStepRequest(match_id=MATCH, seq=1),
    "replay.v1.ReplayService/ListEvents": replay.ListEventsRequest(match_id=MATCH, page_size=3),
    "replay.v1.ReplayService/ForkMatch": replay.ForkMatchRequest(match_id=MATCH, request_id="r", seq=1),
    "replay.v1.ReplayService/ExportMatch": replay.ExportMatchRequest(match_id=MATCH),
}
STREAMS = ("WatchMatch", "ExportMatch")
EACH = 40


def variants(meant: bytes, chance: random.Random) -> list[bytes]:
    """The message with bytes changed, cut off and added, and bytes that are no message."""
    made = []
    for _ in range(EACH):
        data = bytearray(meant)
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(data))
            data[at : at + chance.randint(0, 2)] = chance.randbytes(chance.randint(0, 3))
        made += [bytes(data), meant[: chance.randrange(len(meant))], chance.randbytes(chance.randint(0, 40))]
    return made


async def send(there: House, method: str, data: bytes, who: Metadata) -> grpc.StatusCode:
    path = f"/hamle.{method}"
    try:
        if method.endswith(STREAMS):
            call: Any = there.channel.unary_stream(path, None, None)(data, metadata=who, timeout=20)
            await call.read()
            call.cancel()
        else:
            await there.channel.unary_unary(path, None, None)(data, metadata=who, timeout=20)
    except grpc.aio.AioRpcError as error:
        if refusal_of(error) is None:
            return grpc.StatusCode.UNKNOWN
        return error.code()
    return grpc.StatusCode.OK


async def test_whatever_bytes_come_each_call_is_done_or_refused_with_a_reason(client: Redis, kind: str) -> None:
    chance = random.Random(7)
    async with house(client, kind) as there:
        anna = await there.sit("anna")
        there.table.moves[MATCH] = ["a", "b"]
        bad = {grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.DEADLINE_EXCEEDED}
        for method, meant in MEANT.items():
            sent = variants(meant.SerializeToString(), chance)
            codes = await asyncio.gather(*(send(there, method, data, anna) for data in sent))
            assert not bad & set(codes), (
                method,
                [data.hex() for data, code in zip(sent, codes, strict=True) if code in bad],
            )
            assert grpc.StatusCode.INVALID_ARGUMENT in codes
        assert await there.submit(anna, "after") > 2
