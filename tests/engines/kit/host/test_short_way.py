"""Moves over the batched stream go a shorter way; whatever stands in their way, they end as all moves do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hamle.engine.v1 import engine_pb2

from core.errors import Refused
from core.log.types import Append, Appended, UnknownOutcome
from engines.coerceo.game import GAME as COERCEO
from tests.support.replicas import StartEngine

FIRST, SECOND = "d1e-d1a", "b4b-b4f"


class Stream:
    """A gateway's stream to one replica."""

    def __init__(self, replica: Any) -> None:
        method = replica.channel.stream_stream(
            "/hamle.engine.v1.EngineService/Exchange",
            engine_pb2.ExchangeRequest.SerializeToString,
            engine_pb2.ExchangeResponse.FromString,
        )
        self._stream = method(metadata=replica.metadata, timeout=30)
        self._next = 0

    def move(self, match_id: str, handle: str, expected: int, *moves: str, request_id: str = "") -> engine_pb2.Call:
        self._next += 1
        command = engine_pb2.ExecuteRequest(match_id=match_id, handle=handle, request_id=request_id or moves[0])
        command.expected.seq = expected
        command.submit.moves.extend(moves)
        return engine_pb2.Call(id=self._next, timeout_ms=10_000, execute=command)

    async def answers(self, *calls: engine_pb2.Call) -> list[tuple[int, str]]:
        """The seq or the reason that each call ended with, in the order of the calls."""
        await self._stream.write(engine_pb2.ExchangeRequest(calls=calls))
        found: dict[int, tuple[int, str]] = {}
        while len(found) < len(calls):
            for answer in (await self._stream.read()).answers:
                if answer.HasField("rejection"):
                    found[answer.id] = (0, Refused.from_proto(answer.rejection).name)
                else:
                    found[answer.id] = (engine_pb2.ExecuteResponse.FromString(answer.response).cursor.seq, "")
        return [found[call.id] for call in calls]

    async def incident(self, call: engine_pb2.Call) -> str:
        """The incident that a call, or a watch, ended with."""
        await self._stream.write(engine_pb2.ExchangeRequest(calls=[call]))
        while True:
            batch = await self._stream.read()
            for told in (*batch.answers, *batch.pushes):
                if told.HasField("rejection"):
                    return Refused.from_proto(told.rejection).metadata["incident"]


async def test_moves_of_one_batch_are_done_in_its_order_also_when_the_first_is_still_on_its_way(
    start_engine: StartEngine,
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    stream = Stream(replica)
    first, second = stream.move(match_id, "ann", 4, FIRST), stream.move(match_id, "bob", 5, SECOND)
    again = stream.move(match_id, "ann", 4, FIRST)
    assert await stream.answers(first, second, again) == [(5, ""), (6, ""), (5, "")]


async def test_a_move_that_another_replica_has_done_gets_its_first_answer(start_engine: StartEngine) -> None:
    stale, other = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await stale.create()
    await other.move(match_id, "ann", 4, FIRST, request_id="one")
    stream = Stream(stale)
    assert await stream.answers(stream.move(match_id, "ann", 4, FIRST, request_id="one")) == [(5, "")]
    meters = stale.engine._meters
    assert (meters.conflict.value, meters.repeated.value) >= (1, 1)


async def test_a_move_that_another_replica_has_overtaken_is_stale_and_changes_nothing(
    start_engine: StartEngine,
) -> None:
    stale, other = await start_engine(COERCEO), await start_engine(COERCEO)
    match_id = await stale.create()
    await other.move(match_id, "ann", 4, FIRST)
    stream = Stream(stale)
    assert await stream.answers(stream.move(match_id, "ann", 4, "d1e-d1c")) == [(0, "STALE_VIEW")]
    assert await stream.answers(stream.move(match_id, "bob", 5, SECOND)) == [(6, "")]


class LostAnswers:
    """The real appender; its answers are lost on the way."""

    def __init__(self, appender: Any) -> None:
        self._appender = appender

    def send(self, append: Append, then: Callable[[Appended | Exception], None]) -> None:
        self._appender.send(append, lambda _: then(UnknownOutcome("the answer was lost")))


async def test_a_move_whose_answer_is_lost_is_refused_and_its_repetition_gets_the_first_answer(
    start_engine: StartEngine,
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create()
    stream = Stream(replica)
    writer = replica.engine._writer
    appender = writer._appender
    writer._appender = LostAnswers(appender)  # type: ignore[assignment]
    assert await stream.answers(stream.move(match_id, "ann", 4, FIRST)) == [(0, "STORE_DOWN")]
    writer._appender = appender
    again = stream.move(match_id, "ann", 4, FIRST)
    assert await stream.answers(again, stream.move(match_id, "bob", 5, SECOND)) == [(5, ""), (6, "")]
