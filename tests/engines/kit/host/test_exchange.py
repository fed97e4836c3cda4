"""The batched stream of a gateway, when what comes over it is not what a gateway sends."""

import grpc
import pytest
from hamle.engine.v1 import engine_pb2

from core.rpc.client import refusal_of
from engines.coerceo.game import GAME as COERCEO

TOO_LARGE = engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(trace=bytes(2 << 20))]).SerializeToString()


@pytest.mark.parametrize(("sent", "reason"), [(b"\xff", "BYTES_UNPARSABLE"), (TOO_LARGE, "MESSAGE_TOO_LARGE")])
async def test_a_stream_that_brings_no_batch_ends_with_the_reason_after_its_answers(start_engine, sent, reason):
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    view = engine_pb2.GetViewRequest(match_id=match_id)
    stream = replica.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)(
        metadata=replica.metadata, timeout=20
    )
    batch = engine_pb2.ExchangeRequest(calls=[engine_pb2.Call(id=7, get_view=view)])
    await stream.write(batch.SerializeToString())
    answer = engine_pb2.ExchangeResponse.FromString(await stream.read())
    assert [told.id for told in answer.answers] == [7]
    await stream.write(sent)
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await stream.read()
    assert refusal_of(ended.value).name == reason
    assert (await replica.call("GetView", view)).view.cursor.seq == 4
