"""The batched stream of a gateway, when what comes over it is not what a gateway sends."""

from typing import Any

import pytest
from hamle.engine.v1 import engine_pb2

from engines.coerceo.game import GAME as COERCEO
from tests.support.refusals import reason
from tests.support.replicas import StartEngine

TOO_LARGE = engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(trace=bytes(2 << 20))]).SerializeToString()


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
