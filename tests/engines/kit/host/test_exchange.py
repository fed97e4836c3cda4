"""The batched stream of a gateway, when what comes over it is not what a gateway sends."""

import gc
from typing import Any

import grpc
import pytest
from hamle.engine.v1 import engine_pb2

from core.errors import Refused
from core.rpc.options import FLEET_BYTES
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host import exchange as host_exchange
from engines.kit.host import outbox
from tests.support.refusals import reason
from tests.support.replicas import StartEngine
from tests.support.waiting import until

TOO_LARGE = engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(trace=bytes(FLEET_BYTES))]).SerializeToString()


@pytest.mark.parametrize(("sent", "expected"), [(b"\xff", "BYTES_UNPARSABLE"), (TOO_LARGE, "MESSAGE_TOO_LARGE")])
async def test_a_stream_that_brings_no_batch_ends_with_the_reason_after_its_answers(
    start_engine: StartEngine, sent: bytes, expected: str
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    view = engine_pb2.GetViewRequest(match_id=match_id)
    exchange: Any = replica.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = exchange(metadata=replica.metadata, timeout=20)
    batch = engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(id=7, get_view=view)])
    await stream.write(batch.SerializeToString())
    answer = engine_pb2.ExchangeResponse.FromString(await stream.read())
    assert [told.id for told in answer.answers] == [7]
    await stream.write(sent)
    assert await reason(stream.read()) == expected
    assert (await replica.call("GetView", view)).view.cursor.seq == 4


async def test_batches_may_be_larger_than_what_clients_may_send(start_engine: StartEngine) -> None:
    """As after the death of a replica, when all its watches come to another at once."""
    replica = await start_engine(COERCEO, max_message_bytes=1 << 12)
    match_id = await replica.create()
    exchange: Any = replica.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = exchange(metadata=replica.metadata, timeout=60)
    watch = engine_pb2.WatchMatchRequest(match_id=match_id)
    calls = [engine_pb2.Call(id=number, watch=watch) for number in range(1, 301)]
    await stream.write(engine_pb2.ExchangeRequest(calls=calls).SerializeToString())
    joined: set[int] = set()
    while len(joined) < len(calls):
        for push in engine_pb2.ExchangeResponse.FromString(await stream.read()).pushes:
            assert not push.HasField("rejection")
            joined.update(push.ids)
    await stream.done_writing()


async def test_on_a_stream_with_too_many_calls_a_watch_is_ended_and_the_end_of_one_is_taken(
    start_engine: StartEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    exchange: Any = replica.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = exchange(metadata=replica.metadata, timeout=20)
    watch = engine_pb2.WatchMatchRequest(match_id=match_id)
    await stream.write(engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(id=1, watch=watch)]).SerializeToString())
    match = replica.engine._follower._matches.cache.get(match_id)
    assert match is not None
    await until(lambda: len(match.watches) == 1)
    monkeypatch.setattr(host_exchange, "MAX_CALLS", 0)
    calls = [engine_pb2.Call(id=2, watch=watch), engine_pb2.Call(id=3, unwatch=1)]
    await stream.write(engine_pb2.ExchangeRequest(calls=calls).SerializeToString())
    refused: list[engine_pb2.Push] = []
    while not refused:
        pushes = engine_pb2.ExchangeResponse.FromString(await stream.read()).pushes
        refused += [push for push in pushes if push.HasField("rejection")]
    assert [list(push.ids) for push in refused] == [[2]]
    assert Refused.from_proto(refused[0].rejection).name == "OVERLOADED"
    await until(lambda: not match.watches)
    await stream.done_writing()


def outboxes() -> list[outbox.Outbox]:
    return [each for each in gc.get_objects() if isinstance(each, outbox.Outbox)]


async def test_what_is_for_a_gateway_that_does_not_read_is_dropped_and_its_stream_ends(
    start_engine: StartEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "LIMIT_BYTES", 1 << 16)
    before = outboxes()
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    exchange: Any = replica.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = exchange(metadata=replica.metadata, timeout=60)
    view = engine_pb2.GetViewRequest(match_id=match_id)
    batch = engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(id=id, get_view=view) for id in range(100)])
    await stream.write(batch.SerializeToString())
    await until(lambda: len(outboxes()) > len(before))
    (of_stream,) = [each for each in outboxes() if each not in before]
    while not of_stream.full:
        await stream.write(batch.SerializeToString())
    for _ in range(20):
        await stream.write(batch.SerializeToString())
    assert not of_stream._answers
    while await stream.read() is not grpc.aio.EOF:  # type: ignore[attr-defined]
        continue
    assert await stream.code() is grpc.StatusCode.OK
    await until(lambda: of_stream.closed)
