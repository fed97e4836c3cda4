from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hamle.error.v1.error_pb2 import (
    REASON_OVERLOADED,
    REASON_SHUTTING_DOWN,
    REASON_STORE_DOWN,
    REASON_STORE_OUT_OF_MEMORY,
)
from redis.asyncio import Redis
from redis.exceptions import ResponseError

from core.errors import Refused
from core.store.client import open_store
from services.gateway.players.players import LIBRARY
from services.gateway.stored import MOST_WAITING, Stored
from tests.services.gateway.account.stores import connect
from tests.support.servers import StoreServer


@pytest.fixture
async def stored(client: Redis) -> Stored:
    return await Stored.open(client, LIBRARY)


async def connections(client: Redis) -> int:
    return len(await client.client_list())


async def test_thousands_of_commands_at_once_are_all_answered_over_one_connection(
    client: Redis, stored: Stored
) -> None:
    await client.mset({f"k{number}": number for number in range(3000)})
    before = await connections(client)
    answers = await asyncio.gather(*(stored.do("GET", f"k{number}") for number in range(3000)))
    assert answers == [str(number).encode() for number in range(3000)]
    # Those of tests before this one may end meanwhile.
    assert await connections(client) <= before


async def test_a_command_that_fails_fails_alone(client: Redis, stored: Stored) -> None:
    await client.set("text", "x")
    answers = await asyncio.gather(
        stored.do("GET", "text"), stored.do("INCR", "text"), stored.do("GET", "text"), return_exceptions=True
    )
    assert answers[0] == answers[2] == b"x"
    assert isinstance(answers[1], ResponseError)


async def test_commands_that_go_together_are_answered_in_order(stored: Stored) -> None:
    assert await stored.do_all([]) == []
    assert await stored.do_all([("SET", "a", 1), ("INCR", "a"), ("GET", "a")]) == [True, 2, b"2"]


async def test_a_caller_who_gives_up_harms_no_other(stored: Stored) -> None:
    for _ in range(20):
        kept = [asyncio.ensure_future(stored.do("ECHO", f"kept{number}")) for number in range(20)]
        given_up = [asyncio.ensure_future(stored.do("ECHO", f"lost{number}")) for number in range(20)]
        await asyncio.sleep(0)
        for each in given_up:
            each.cancel()
        assert await asyncio.gather(*kept) == [f"kept{number}".encode() for number in range(20)]
        assert all(isinstance(each, BaseException) for each in await asyncio.gather(*given_up, return_exceptions=True))


async def test_more_than_can_wait_is_refused_and_what_waits_is_answered(client: Redis, stored: Stored) -> None:
    waiting = [asyncio.ensure_future(stored.do("PING")) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    refused = [asyncio.ensure_future(stored.do("PING")) for _ in range(1000)]
    answers = await asyncio.gather(*refused, return_exceptions=True)
    over = [answer for answer in answers if isinstance(answer, Refused)]
    assert over
    assert {(answer.reason, answer.retry_after_ms > 0) for answer in over} == {(REASON_OVERLOADED, True)}
    assert len(await asyncio.gather(*waiting)) == MOST_WAITING


async def test_a_store_that_goes_away_is_told_to_every_caller_and_comes_back(
    start_server: Callable[..., StoreServer],
) -> None:
    server = start_server()
    async with connect(server.port) as client:
        stored = await Stored.open(client, LIBRARY)
        server.kill()
        answers = await asyncio.gather(*(stored.do("PING") for _ in range(50)), return_exceptions=True)
        assert all(isinstance(answer, Refused) and answer.reason == REASON_STORE_DOWN for answer in answers)
        assert len({id(answer) for answer in answers}) == 50
        server.start()
        assert await stored.do("PING")


class Forgetful(Redis):
    """A client that loses the last answer of what goes together: a fault of the program, not of the store."""

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Any:
        pipeline: Any = super().pipeline(transaction, shard_hint)
        whole = pipeline.execute

        async def execute(raise_on_error: bool = True) -> list[Any]:
            answers: list[Any] = await whole(raise_on_error)
            return answers[:-1]

        pipeline.execute = execute
        return pipeline


async def test_a_fault_while_sending_reaches_every_caller_and_the_next_are_served(client: Redis) -> None:
    forgetful = Forgetful(connection_pool=client.connection_pool)
    stored = Stored(forgetful, LIBRARY)
    async with asyncio.timeout(60):
        answers = await asyncio.gather(
            *(stored.do("ECHO", str(number)) for number in range(1200)), return_exceptions=True
        )
        assert {type(answer) for answer in answers} == {bytes, ValueError}
        assert isinstance(answers[-1], ValueError)
        forgetful.pipeline = client.pipeline  # type: ignore[method-assign]
        assert await stored.do("ECHO", "again") == b"again"


async def test_what_waits_when_it_closes_is_refused_and_so_is_what_comes(client: Redis, stored: Stored) -> None:
    under_way = asyncio.ensure_future(stored.do("BLPOP", "nothing", 0))
    async with asyncio.timeout(60):
        while not any(each["cmd"] == "blpop" for each in await client.client_list()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        behind = asyncio.ensure_future(stored.do("PING"))
        await asyncio.sleep(0)
        await stored.close()
        for call in (under_way, behind, stored.do("PING")):
            with pytest.raises(Refused) as refused:
                await call
            assert refused.value.reason == REASON_SHUTTING_DOWN
    assert await client.ping()


async def test_a_store_without_memory_is_told_as_such(start_server: Callable[..., StoreServer]) -> None:
    server = start_server()
    client = await open_store(server.settings())
    async with client:
        stored = await Stored.open(client, LIBRARY)
        server.call("CONFIG", "SET", "maxmemory", "1")
        with pytest.raises(Refused) as refused:
            await stored.call("bind", ["{x}a", "{x}b"], "ann", "h", "Ann", "coerceo", 1)
        assert refused.value.reason == REASON_STORE_OUT_OF_MEMORY
