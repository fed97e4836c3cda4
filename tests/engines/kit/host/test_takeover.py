"""A replica that takes over many matches at once."""

from __future__ import annotations

import asyncio
from typing import Any

from hamle.engine.v1 import engine_pb2

from engines.coerceo.game import GAME as COERCEO
from tests.support.replicas import StartEngine

MATCHES = 400


async def test_all_of_them_are_answered_for(start_engine: StartEngine) -> None:
    here, there = await start_engine(COERCEO), await start_engine(COERCEO)
    ids = await asyncio.gather(*[there.create(f"m{number}") for number in range(MATCHES)])
    exchange: Any = here.channel.stream_stream("/hamle.engine.v1.EngineService/Exchange", None, None)
    stream = exchange(metadata=here.metadata, timeout=60)
    views = [engine_pb2.GetViewRequest(match_id=match_id) for match_id in ids]
    calls = [engine_pb2.Call(id=id, get_view=view) for id, view in enumerate(views)]
    await stream.write(engine_pb2.ExchangeRequest(calls=calls).SerializeToString())
    answers: list[engine_pb2.Answer] = []
    while len(answers) < MATCHES:
        answers += engine_pb2.ExchangeResponse.FromString(await stream.read()).answers
    assert [answer.rejection for answer in answers if answer.HasField("rejection")] == []
    stream.cancel()
