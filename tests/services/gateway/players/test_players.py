from __future__ import annotations

import asyncio

import pytest
from hamle.error.v1.error_pb2 import REASON_REQUEST_ID_REUSED
from hamle.match.v1.match_pb2 import MATCH_STATUS_ACTIVE, MATCH_STATUS_WAITING, Match, MatchStatus, Seat
from redis.asyncio import Redis

from core.errors import Refused
from core.log.keys import log_key, match_id_for, players_key
from services.gateway.players.index import Place
from services.gateway.players.players import NAMES_HOLD_S, OUTLIVE_S, Players, open_players

MATCH = match_id_for("test", "match")


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
async def players(client: Redis) -> Players:
    return await open_players(client)


def match(*handles: str, status: MatchStatus.ValueType = MATCH_STATUS_WAITING, match_id: str = MATCH) -> Match:
    seats = [Seat(number=number, handle=handle) for number, handle in enumerate(handles)]
    return Match(match_id=match_id, seats=seats, status=status)


async def test_an_account_keeps_its_handle_and_others_have_others(players: Players) -> None:
    mine = await players.bind(MATCH, "coerceo", "ann", "Ann")
    assert await players.bind(MATCH, "coerceo", "ann", "Ann again") == mine
    theirs = await players.bind(MATCH, "coerceo", "bob", "Bob")
    assert mine != theirs
    assert await players.handle_for(MATCH, "ann") == mine
    assert await players.handle_for(MATCH, "bob") == theirs
    assert await players.handle_for(MATCH, "cem") is None
    assert await players.bind(match_id_for("another"), "coerceo", "ann", "Ann") != mine


async def test_gateways_that_bind_at_the_same_moment_agree(client: Redis) -> None:
    gateways = [await open_players(client) for _ in range(8)]
    handles = await asyncio.gather(*(gateway.bind(MATCH, "coerceo", "ann", "Ann") for gateway in gateways))
    assert len(set(handles)) == 1
    assert await client.hlen(players_key(MATCH)) == 3


async def test_a_bound_handle_is_looked_up_without_the_store(client: Redis, players: Players) -> None:
    handle = await players.bind(MATCH, "coerceo", "ann", "Ann")
    assert await players.handle_for(MATCH, "ann") == handle
    await client.delete(players_key(MATCH))
    assert await players.handle_for(MATCH, "ann") == handle
    assert await (await open_players(client)).handle_for(MATCH, "ann") is None


async def test_a_handle_is_remembered_once_it_was_asked_for(client: Redis, players: Players) -> None:
    handle = await players.bind(MATCH, "coerceo", "ann", "Ann")
    assert players.remembered(MATCH, "ann") is None
    await players.handle_for(MATCH, "ann")
    assert players.remembered(MATCH, "ann") == handle
    assert players.remembered(MATCH, "bob") is None


async def test_who_sits_down_through_another_gateway_is_found_at_once(client: Redis, players: Players) -> None:
    other = await open_players(client)
    assert await players.handle_for(MATCH, "ann") is None
    handle = await other.bind(MATCH, "coerceo", "ann", "Ann")
    assert await players.handle_for(MATCH, "ann") == handle


async def test_the_game_is_written_and_a_match_of_another_game_is_another_request(
    client: Redis, players: Players
) -> None:
    await players.bind(MATCH, "coerceo", "ann", "Ann")
    assert await client.hget(players_key(MATCH), "game") == b"coerceo"
    with pytest.raises(Refused) as refused:
        await players.bind(MATCH, "battleline", "bob", "Bob")
    assert refused.value.reason == REASON_REQUEST_ID_REUSED


async def test_seats_are_named_as_the_account_sees_them(players: Players) -> None:
    ann = await players.bind(MATCH, "coerceo", "ann", "Ayşe")
    bob = await players.bind(MATCH, "coerceo", "bob", "Bob")
    told = match(ann, "", bob)
    await players.name_seats(told, "bob")
    assert [(seat.name, seat.yours) for seat in told.seats] == [("Ayşe", False), ("", False), ("Bob", True)]
    await players.name_seats(told, "a spectator")
    assert [(seat.name, seat.yours) for seat in told.seats] == [("Ayşe", False), ("", False), ("Bob", False)]


async def test_many_matches_are_named_in_one_go(players: Players) -> None:
    ids = [match_id_for("many", str(number)) for number in range(30)]
    matches = [match(await players.bind(m, "coerceo", f"a{n}", f"A{n}"), match_id=m) for n, m in enumerate(ids)]
    await players.name_all_seats(matches, "a7")
    assert [each.seats[0].name for each in matches] == [f"A{n}" for n in range(30)]
    assert [n for n, each in enumerate(matches) if each.seats[0].yours] == [7]


async def test_the_cache_is_bounded(client: Redis) -> None:
    players = await open_players(client)
    small = Players(players._store, most_cached=5)
    for number in range(20):
        match_id = match_id_for("cache", str(number))
        handle = await small.bind(match_id, "coerceo", "ann", "Ann")
        assert await small.handle_for(match_id, "ann") == handle
    assert len(small._cache) == 5


async def test_a_forgotten_account_leads_nowhere_and_others_stay(client: Redis) -> None:
    clock = Clock()
    players = await open_players(client)
    elsewhere = Players(players._store, monotonic=clock)
    ids = [match_id_for("forget", str(number)) for number in range(700)]
    for match_id in ids:
        await players.bind(match_id, "coerceo", "ann", "Ann")
    ann, bob = await players.bind(ids[0], "coerceo", "ann", "Ann"), await players.bind(ids[0], "coerceo", "bob", "Bob")
    told = match(ann, bob, match_id=ids[0])
    await elsewhere.name_seats(told, "")
    assert [seat.name for seat in told.seats] == ["Ann", "Bob"]
    assert await players.forget("ann") == 700
    assert await players.handle_for(ids[0], "ann") is None
    assert await players.own_matches("ann", None, 10) == []
    assert not [key async for key in client.scan_iter() if "ann" in str(key)]
    assert b"ann" not in await client.hgetall(players_key(ids[0]))
    await players.name_seats(told, "bob")
    assert [(seat.handle, seat.name, seat.yours) for seat in told.seats] == [(ann, "", False), (bob, "Bob", True)]
    clock.now_s += NAMES_HOLD_S + 1
    await elsewhere.name_seats(told, "")
    assert [seat.name for seat in told.seats] == ["", "Bob"]


async def test_own_matches_come_newest_first_page_by_page(client: Redis) -> None:
    clock = Clock()
    players = Players((await open_players(client))._store, clock=clock)
    ids = [match_id_for("own", str(number)) for number in range(25)]
    for number, match_id in enumerate(ids):
        clock.now_s = 1000.0 + number // 10
        await players.bind(match_id, "coerceo", "ann", "Ann")
    clock.now_s = 9000.0
    await players.bind(ids[0], "coerceo", "ann", "Ann")
    found: list[Place] = []
    while page := await players.own_matches("ann", found[-1] if found else None, 4):
        found += page
    assert found == sorted(found, reverse=True)
    assert sorted(place.match_id for place in found) == sorted(ids)
    assert found[-1].at_ms == 1_000_000
    await players.drop_own("ann", ids[0])
    assert len(await players.own_matches("ann", None, 100)) == 24


async def test_players_of_a_match_that_never_comes_into_being_expire(client: Redis, players: Players) -> None:
    await players.bind(MATCH, "coerceo", "ann", "Ann")
    await players.bind(MATCH, "coerceo", "bob", "Bob")
    assert 0 < await client.ttl(players_key(MATCH)) <= OUTLIVE_S


async def test_players_live_as_long_as_their_match(client: Redis, players: Players) -> None:
    handle = await players.bind(MATCH, "coerceo", "ann", "Ann")
    await client.xadd(log_key(MATCH), {"e": b"created"}, id="1-0")
    await client.expire(log_key(MATCH), 2 * OUTLIVE_S)
    await players.name_seats(match(handle), "ann")
    assert await client.ttl(players_key(MATCH)) > 2 * OUTLIVE_S
    await client.persist(log_key(MATCH))
    await players.name_seats(match(handle, status=MATCH_STATUS_ACTIVE), "ann")
    assert await client.ttl(players_key(MATCH)) == -1
    await client.delete(log_key(MATCH))
    assert await (await open_players(client)).handle_for(MATCH, "ann") == handle
    assert await client.ttl(players_key(MATCH)) == -1


async def test_functions_that_the_store_has_lost_are_loaded_again(client: Redis, players: Players) -> None:
    await client.function_flush("SYNC")
    assert await players.bind(MATCH, "coerceo", "ann", "Ann")
