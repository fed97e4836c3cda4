from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hamle.engine.v1.engine_pb2 import ExecuteRequest, ExecuteResponse, Submit
from hamle.error.v1.error_pb2 import (
    REASON_DEADLINE_EXPIRED,
    REASON_ENGINE_UNAVAILABLE,
    REASON_ILLEGAL_MOVE,
    REASON_MATCH_NOT_FOUND,
    REASON_OVERLOADED,
    REASON_RULES_UNAVAILABLE,
    REASON_SHUTTING_DOWN,
    REASON_STORE_DOWN,
    Reason,
)
from redis.asyncio import Redis

from core.errors import Refused
from core.log.keys import match_id_for
from services.gateway.exchange import wire
from services.gateway.routing import router
from services.gateway.routing.games import Route
from tests.services.gateway.account.stores import connect
from tests.services.gateway.exchange.engine import Engine, Table, engine_for, until
from tests.services.gateway.routing.fleet import MATCH, Gateway, announcement, gateway, owner_first

Pair = tuple[Gateway, Engine, Engine]


@pytest.fixture
async def pair(client: Redis) -> AsyncIterator[Pair]:
    """A gateway and two engines over one table; the first owns the match."""
    table = Table(MATCH)
    engines = [await engine_for(table), await engine_for(table)]
    async with gateway(client) as there:
        await there.announce(*(announcement(f"r{i}", engine.address) for i, engine in enumerate(engines)))
        await there.create(MATCH)
        first, second = owner_first(there.directory, MATCH, *engines)
        yield there, first, second
    for engine in engines:
        await engine.stop()


def submit(request_id: str = "r", match_id: str = MATCH) -> bytes:
    request = ExecuteRequest(match_id=match_id, handle="h", request_id=request_id, submit=Submit(moves=["d1e"]))
    return wire.payload(wire.EXECUTE, request.SerializeToString())


async def seq_of(there: Gateway, request_id: str = "r", timeout_ms: int = 10_000) -> int:
    return ExecuteResponse.FromString(await there.router.ask(MATCH, submit(request_id), timeout_ms)).cursor.seq


async def refusal(there: Gateway, match_id: str = MATCH, timeout_ms: int = 10_000) -> Reason.ValueType:
    with pytest.raises(Refused) as refused:
        await there.router.ask(match_id, submit(match_id=match_id), timeout_ms)
    return refused.value.reason


async def test_a_call_goes_to_the_owner(pair: Pair) -> None:
    there, first, second = pair
    assert await seq_of(there) == 1
    assert (len(first.calls), len(second.calls)) == (1, 0)


async def test_a_call_whose_engine_dies_is_done_once_by_the_next(pair: Pair) -> None:
    there, first, second = pair
    first.gate = asyncio.Event()
    asking = [asyncio.create_task(seq_of(there, f"r{i}")) for i in range(20)]
    await until(lambda: len(first.calls) == 20)
    await first.stop()
    assert sorted(await asyncio.gather(*asking)) == list(range(1, 21))
    assert len(first.table.moves[MATCH]) == 20
    assert len(second.calls) == 20


async def test_a_call_that_was_done_before_the_engine_died_is_not_done_twice(pair: Pair) -> None:
    there, first, _ = pair
    assert await seq_of(there, "same") == 1
    await first.stop()
    assert await seq_of(there, "same") == 1
    assert await seq_of(there, "other") == 2


async def test_a_call_to_an_engine_that_stands_still_is_answered_by_the_next(pair: Pair) -> None:
    there, first, second = pair
    first.deaf = True
    assert await seq_of(there) == 1
    assert len(second.calls) == 1


async def test_an_engine_that_shuts_down_is_not_asked_in_vain(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    there, first, second = pair
    # Else the tries are over when the store is slow to hear of it.
    monkeypatch.setattr(router, "_TRIES", 1_000)
    first.refuse = Refused(REASON_SHUTTING_DOWN, "going down")

    async def drain() -> None:
        await until(lambda: len(first.calls) >= 2)
        draining = announcement(there.directory.owner(Route("coerceo", 7)).id, first.address, draining=True)
        await there.announce(draining)

    seq, _ = await asyncio.gather(seq_of(there), drain())
    assert seq == 1
    assert len(second.calls) == 1


async def test_a_refusal_is_passed_on_and_not_asked_again(pair: Pair) -> None:
    there, first, second = pair
    first.refuse = Refused(REASON_ILLEGAL_MOVE, "no")
    assert await refusal(there) == REASON_ILLEGAL_MOVE
    assert (len(first.calls), len(second.calls)) == (1, 0)


async def test_a_match_of_other_rules_is_sent_to_who_knows_them_from_then_on(pair: Pair) -> None:
    there, first, second = pair
    first.refuse = Refused(REASON_RULES_UNAVAILABLE, "unknown rules", {"rules": "coerceo/2"})
    owners = [there.directory.owner(Route("coerceo", shard)) for shard in range(64)]
    other = next(replica for replica in owners if replica is not owners[7])
    await there.announce(announcement(other.id, second.address, rules=("coerceo/2", "coerceo/1")))
    assert await seq_of(there, "r1") == 1
    assert await seq_of(there, "r2") == 2
    assert (len(first.calls), len(second.calls)) == (1, 2)


async def test_rules_that_nobody_runs_are_refused(pair: Pair) -> None:
    there, first, _ = pair
    first.refuse = Refused(REASON_RULES_UNAVAILABLE, "unknown rules", {"rules": "coerceo/9"})
    assert await refusal(there) == REASON_RULES_UNAVAILABLE
    assert await refusal(there) == REASON_RULES_UNAVAILABLE


async def test_a_match_whose_engine_this_gateway_has_not_seen_yet_is_waited_for(client: Redis) -> None:
    engine = await engine_for(Table(MATCH))
    async with gateway(client) as there:
        await there.create(MATCH)
        asking = asyncio.create_task(seq_of(there))
        await until(lambda: there.directory.expects("coerceo"))
        await there.announce(announcement("r1", engine.address))
        assert await asking == 1
    await engine.stop()


async def test_a_call_waits_for_an_engine_that_comes_back(client: Redis) -> None:
    engine = await engine_for(Table(MATCH))
    async with gateway(client, patience_s=60.0) as there:
        await there.announce(announcement("r1", engine.address))
        await there.create(MATCH)
        assert await seq_of(there, "r1") == 1
        await engine.stop()
        asking = asyncio.create_task(seq_of(there, "r2"))
        await until(lambda: not there.directory.games())
        again = await engine_for(engine.table, engine.port)
        assert await asking == 2
        await again.stop()


async def test_without_any_engine_calls_are_refused_after_a_while_and_then_at_once(client: Redis) -> None:
    engine = await engine_for(Table(MATCH))
    async with gateway(client, patience_s=0.3) as there:
        await there.announce(announcement("r1", engine.address))
        await there.create(MATCH)
        await engine.stop()
        assert await refusal(there) == REASON_ENGINE_UNAVAILABLE
        assert await refusal(there) == REASON_ENGINE_UNAVAILABLE


async def test_not_more_than_a_bounded_number_of_calls_wait_for_an_engine(client: Redis) -> None:
    engine = await engine_for(Table(MATCH))
    async with gateway(client, patience_s=1.0, most_waiting=1) as there:
        await there.announce(announcement("r1", engine.address))
        await there.create(MATCH)
        await engine.stop()
        reasons = await asyncio.gather(refusal(there), refusal(there))
        assert set(reasons) == {REASON_ENGINE_UNAVAILABLE, REASON_OVERLOADED}


async def test_a_call_ends_with_its_deadline_though_no_engine_comes(client: Redis) -> None:
    engine = await engine_for(Table(MATCH))
    async with gateway(client) as there:
        await there.announce(announcement("r1", engine.address))
        await there.create(MATCH)
        await engine.stop()
        assert await refusal(there, timeout_ms=300) in (REASON_ENGINE_UNAVAILABLE, REASON_DEADLINE_EXPIRED)


@pytest.mark.parametrize("match_id", ["08aaaaaaaaaaaaaaaa", "99zz", "07AAAAAAAAAAAAAAAA", "x" * 5000])
async def test_a_match_that_is_not_there_is_not_found(pair: Pair, match_id: str) -> None:
    there, first, _ = pair
    assert await refusal(there, match_id) == REASON_MATCH_NOT_FOUND
    assert not first.calls


async def test_a_store_that_is_away_is_said_to_be(client: Redis) -> None:
    async with connect(1) as nowhere, gateway(nowhere) as there:
        assert await refusal(there) == REASON_STORE_DOWN


async def test_look_ups_of_many_matches_share_round_trips(client: Redis) -> None:
    async with gateway(client) as there:
        matches = [match_id_for("anna", f"r{i}") for i in range(400)]
        await there.create(*matches)
        before = (await client.info("stats"))["total_connections_received"]
        found = await asyncio.gather(*(there.games.look_up(match_id) for match_id in matches))
        assert {route.game for route in found} == {"coerceo"}
        after = (await client.info("stats"))["total_connections_received"]
        assert after - before <= 2
