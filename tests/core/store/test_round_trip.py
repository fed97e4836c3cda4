"""Many commands at once, on one server and on a cluster of which a master dies."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

import pytest
from hamle.error.v1.error_pb2 import REASON_STORE_DOWN
from redis.exceptions import ResponseError

from core.errors import Refused
from core.log.keys import SHARDS, tag
from core.store.client import Client, open_store
from core.store.round_trip import ask_all, get_all, told
from tests.support.cluster import Cluster
from tests.support.servers import StoreServer
from tests.support.waiting import eventually

KEYS = [f"{tag(shard)}:test" for shard in range(SHARDS)]


@pytest.fixture
async def spread(cluster: Cluster) -> AsyncIterator[Client]:
    async with await open_store(cluster.servers[1].settings(cluster=True)) as client:
        yield client


async def test_answers_come_in_the_order_of_the_commands(spread: Client) -> None:
    commands = [command for key in KEYS for command in (("SET", key, f"of {key}"), ("APPEND", key, "!"), ("GET", key))]
    answers = await ask_all(spread, commands)
    assert answers[2::3] == [f"of {key}!".encode() for key in KEYS]
    assert await ask_all(spread, []) == []


async def test_values_come_by_the_names_of_their_keys(spread: Client, store: Client) -> None:
    for client in (spread, store):
        await ask_all(client, [("SET", key, shard) for shard, key in enumerate(KEYS)])
        found, silent = await get_all(client, {**dict(enumerate(KEYS)), -1: "nowhere"})
        assert found == {-1: None} | {shard: str(shard).encode() for shard in range(SHARDS)}
        assert silent is None
        assert await get_all(client, {}) == ({}, None)


async def test_a_command_that_the_store_refuses_spoils_no_other(spread: Client, store: Client) -> None:
    for client in (spread, store):
        answers = await ask_all(client, [("SET", KEYS[0], "1"), ("HGET", KEYS[0], "f"), ("GET", KEYS[0])])
        assert isinstance(answers[1], ResponseError)
        assert answers[2] == b"1"
        with pytest.raises(ResponseError):
            told("abc", answers)


async def test_what_is_no_command_is_a_fault_of_the_program(spread: Client, store: Client) -> None:
    for client in (spread, store):
        with pytest.raises(Exception, match="bool") as raised:
            await ask_all(client, [("SET", KEYS[0], True)])
        assert not isinstance(raised.value, Refused)


async def test_a_store_that_is_away_is_a_refusal_of_its_own_for_each(start_server: Callable[..., StoreServer]) -> None:
    server = start_server()
    async with await open_store(server.settings()) as client:
        server.kill()
        answers = await ask_all(client, [("GET", "a"), ("GET", "b")])
        assert [answer.reason for answer in answers] == [REASON_STORE_DOWN] * 2
        assert answers[0] is not answers[1]
        assert told("ab", answers) == ({}, answers[1])
        found, silent = await get_all(client, {1: "a", 2: "b"})
        assert found == {}
        assert silent is not None


async def test_a_master_that_dies_silences_no_other_and_its_replica_answers_once_it_has_taken_over(
    cluster: Cluster, spread: Client
) -> None:
    asked = [("INCR", f"{key}:count") for key in KEYS]
    assert await ask_all(spread, asked) == [1] * SHARDS
    dying = cluster.masters[0]
    with cluster.no_failover():
        dying.kill()
        there, silent = told(KEYS, await ask_all(spread, asked))
        assert silent is not None
        assert silent.reason == REASON_STORE_DOWN
        assert 0 < len(there) < SHARDS
        assert set(there.values()) == {2}

    async def all_answer() -> None:
        _, silent = told(KEYS, await ask_all(spread, [("GET", key) for key in KEYS]))
        if silent is not None:
            raise silent

    await eventually(all_answer)
    dying.start()
