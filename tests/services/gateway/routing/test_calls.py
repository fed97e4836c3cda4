from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hamle.engine.v1.engine_pb2 import (
    CreateMatchRequest,
    ExecuteRequest,
    ExportMatchResponse,
    ForkMatchRequest,
    GetStepResponse,
    Submit,
)
from hamle.error.v1.error_pb2 import (
    REASON_DEADLINE_EXPIRED,
    REASON_ENGINE_UNAVAILABLE,
    REASON_GAME_UNKNOWN,
    REASON_ILLEGAL_MOVE,
    Reason,
)
from redis.asyncio import Redis

from core.errors import Refused
from services.gateway.routing.calls import EngineCalls
from tests.services.gateway.exchange.engine import Engine, Table, engine_for, until
from tests.services.gateway.routing.fleet import MATCH, Gateway, announcement, gateway, owner_first

NEW = "07bbbbbbbbbbbbbbbb"
Pair = tuple[Gateway, Engine, Engine]


@pytest.fixture
async def pair(client: Redis) -> AsyncIterator[Pair]:
    table = Table(MATCH)
    table.moves[MATCH] = ["a", "b", "c"]
    engines = [await engine_for(table), await engine_for(table)]
    async with gateway(client) as there:
        await there.announce(*(announcement(f"r{i}", engine.address) for i, engine in enumerate(engines)))
        await there.create(MATCH)
        first, second = owner_first(there.directory, MATCH, *engines)
        yield there, first, second
    for engine in engines:
        await engine.stop()


async def test_a_match_is_created_at_the_owner_of_its_shard_and_known_at_once(pair: Pair) -> None:
    there, first, second = pair
    created = await there.calls.create_match("coerceo", CreateMatchRequest(match_id=NEW))
    assert created.match.match_id == NEW
    assert (first.asked, second.asked) == (1, 0)
    assert (await there.calls.get_match(NEW)).match_id == NEW


async def test_a_game_that_nobody_runs_is_unknown(pair: Pair) -> None:
    there, _, _ = pair
    with pytest.raises(Refused) as refused:
        await there.calls.create_match("chess", CreateMatchRequest(match_id=NEW))
    assert refused.value.reason == REASON_GAME_UNKNOWN
    assert refused.value.metadata == {"game": "chess", "games": "coerceo"}


async def test_reads_give_what_the_engine_says(pair: Pair) -> None:
    there, _, _ = pair
    assert (await there.calls.get_match(MATCH)).head.seq == 3
    step = GetStepResponse.FromString(await there.calls.get_step(MATCH, "h", 2))
    assert step.step.told.event.moved.move == "b"
    events = await there.calls.list_events(MATCH, "h", 1, 5)
    assert [event.cursor.seq for event in events.events] == [2, 3]
    records = [ExportMatchResponse.FromString(data) async for data in there.calls.export_match(MATCH, "h")]
    assert [record.cursor.seq for record in records] == [1, 2, 3]
    forked = await there.calls.fork_match(ForkMatchRequest(match_id=NEW, parent=MATCH, seq=2))
    assert forked.match.head.seq == 2


async def test_a_command_goes_over_the_stream(pair: Pair) -> None:
    there, first, _ = pair
    request = ExecuteRequest(match_id=MATCH, handle="h", request_id="r", submit=Submit(moves=["d"]))
    assert (await there.calls.execute(request)).cursor.seq == 4
    assert len(first.calls) == 1


async def test_a_refusal_keeps_its_reason_and_metadata(pair: Pair) -> None:
    there, first, second = pair
    first.refuse = Refused(REASON_ILLEGAL_MOVE, "no", {"move": "x"}, retry_after_ms=20)
    with pytest.raises(Refused) as refused:
        await there.calls.get_match(MATCH)
    assert (refused.value.reason, refused.value.metadata) == (REASON_ILLEGAL_MOVE, {"move": "x"})
    assert refused.value.retry_after_ms == 20
    with pytest.raises(Refused):
        _ = [record async for record in there.calls.export_match(MATCH, "h")]
    assert second.asked == 0


async def test_a_call_in_flight_when_the_engine_dies_is_asked_elsewhere(pair: Pair) -> None:
    there, first, second = pair
    first.gate = asyncio.Event()
    asking = asyncio.create_task(there.calls.create_match("coerceo", CreateMatchRequest(match_id=NEW)))
    await until(lambda: first.asked)
    await first.stop()
    assert (await asking).match.match_id == NEW
    assert second.asked == 1


async def test_a_call_in_flight_when_the_engines_announcement_runs_out_is_asked_elsewhere(pair: Pair) -> None:
    there, first, second = pair
    first.gate = asyncio.Event()
    asking = asyncio.create_task(there.calls.create_match("coerceo", CreateMatchRequest(match_id=NEW)))
    await until(lambda: first.asked)
    there.directory.update([told for told in there.announced if told.address != first.address])
    assert (await asking).match.match_id == NEW
    assert second.asked == 1
    first.gate.set()


async def test_a_call_to_an_engine_that_stands_still_is_asked_elsewhere(pair: Pair) -> None:
    there, first, second = pair
    first.deaf = True
    assert (await there.calls.get_match(MATCH)).head.seq == 3
    records = [record async for record in there.calls.export_match(MATCH, "h")]
    assert len(records) == 3
    assert second.asked == 2


async def test_an_engine_that_is_slow_but_alive_is_waited_for(pair: Pair) -> None:
    there, first, second = pair
    first.gate = asyncio.Event()
    asking = asyncio.create_task(there.calls.get_match(MATCH))
    await asyncio.sleep(1.2)
    assert not asking.done()
    first.gate.set()
    assert (await asking).head.seq == 3
    assert second.asked == 0


async def test_a_call_that_is_never_answered_ends_with_its_time(pair: Pair) -> None:
    there, first, _ = pair
    first.gate = asyncio.Event()
    calls = EngineCalls(there.router, there.directory, there.games, timeout_ms=800)
    with pytest.raises(Refused) as refused:
        await calls.get_match(MATCH)
    assert refused.value.reason == REASON_DEADLINE_EXPIRED
    first.gate.set()


async def test_a_request_that_breaks_an_engine_takes_none_away(pair: Pair) -> None:
    there, first, second = pair
    with pytest.raises(Refused) as refused:
        await there.calls.get_step(MATCH, "h", 99)
    assert refused.value.reason == REASON_ENGINE_UNAVAILABLE
    assert first.asked + second.asked > 1
    assert (await there.calls.get_match(MATCH)).head.seq == 3


async def test_an_export_whose_engine_dies_in_the_middle_says_so(pair: Pair) -> None:
    there, first, _ = pair
    first.table.moves[MATCH] = ["a"] * 50_000
    reasons: list[Reason.ValueType] = []
    seen = 0
    try:
        async for _record in there.calls.export_match(MATCH, "h"):
            seen += 1
            if seen == 1:
                await first.stop()
    except Refused as refused:
        reasons.append(refused.reason)
    assert 1 <= seen < 50_000
    assert reasons == [REASON_ENGINE_UNAVAILABLE]
