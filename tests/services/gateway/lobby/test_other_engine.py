"""The engine that answers a call may be another one than that which is asked next, and no less is known for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack

import pytest
from hamle.engine.v1.engine_pb2 import CreateMatchRequest, CreateMatchResponse, ExecuteRequest, ExecuteResponse
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import MATCH_STATUS_ACTIVE, Cursor, GameInfo, Match

from core.fleet.announcements import read_announcements
from core.fleet.credential import fleet_credential
from core.store.client import Client, open_store
from core.store.settings import StoreSettings
from engines.coerceo.game import GAME as COERCEO
from services.gateway.account.follower import open_accounts
from services.gateway.identity import Identity
from services.gateway.lobby.catalogue import Catalogue
from services.gateway.lobby.listing import Listing
from services.gateway.lobby.seats import Seats
from services.gateway.players.players import open_players
from services.gateway.routing.calls import EngineCalls
from services.gateway.routing.directory import Directory
from services.gateway.routing.games import MatchGames
from services.gateway.routing.replica import Replica, Terms
from services.gateway.routing.router import Router
from tests.services.gateway.lobby.house import engine, fresh

ANN, BOB = (Identity(f"account-{name}", name, frozenset({"play"}), 0) for name in ("Ann", "Bob"))


class Apart:
    """Real engines: one does what is asked for, the other is asked what came of it."""

    def __init__(self, doing: EngineCalls, reading: EngineCalls) -> None:
        self.doing = doing
        self.reading = reading

    def list_games(self) -> Sequence[GameInfo]:
        return self.doing.list_games()

    async def create_match(self, game: str, request: CreateMatchRequest) -> CreateMatchResponse:
        return await self.doing.create_match(game, request)

    async def execute(self, request: ExecuteRequest) -> ExecuteResponse:
        # The other one has just looked, and so sees no reason to look again.
        await self.reading.get_match(request.match_id)
        return await self.doing.execute(request)

    async def get_match(self, match_id: str, known: Cursor | None = None) -> Match:
        return await self.reading.get_match(match_id, known)


@pytest.fixture
async def seats(store_settings: StoreSettings) -> AsyncIterator[Seats]:
    async with AsyncExitStack() as stack:
        for _ in range(2):
            await stack.enter_async_context(engine(store_settings, COERCEO))
        client: Client = await open_store(store_settings)
        stack.push_async_callback(client.aclose)
        accounts = await open_accounts(client)
        stack.push_async_callback(accounts.close)
        terms = Terms(await fleet_credential(client))
        calls = []
        async with asyncio.timeout(20):
            while len(announced := await read_announcements(client)) < 2:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        for announcement in announced:
            directory = Directory(lambda told, lost: Replica(told, terms, lost))
            stack.push_async_callback(directory.close)
            directory.update([announcement])
            games = MatchGames(lambda key, field: accounts.do("HGET", key, field))
            calls.append(EngineCalls(Router(directory, games), directory, games))
        engines = Apart(*calls)
        catalogue = Catalogue(engines.list_games)
        yield Seats(engines, catalogue, await open_players(client), Listing(accounts))


async def test_who_takes_a_seat_starts_or_leaves_is_told_so_whichever_engine_is_asked_for_the_match(
    seats: Seats,
) -> None:
    creation = pb.CreateMatchRequest(game="coerceo", request_id=fresh(), manual_start=True)
    match_id = (await seats.create(ANN, creation)).match.match_id
    joined = await seats.join(BOB, pb.JoinMatchRequest(match_id=match_id, request_id=fresh()))
    assert joined.seat == 1
    left = await seats.leave(BOB, pb.LeaveMatchRequest(match_id=match_id, request_id=fresh()))
    assert [seat.name for seat in left.match.seats] == ["Ann", ""]
    assert (await seats.join(BOB, pb.JoinMatchRequest(match_id=match_id, request_id=fresh()))).seat == 1
    started = await seats.start(ANN, pb.StartMatchRequest(match_id=match_id, request_id=fresh()))
    assert started.match.status == MATCH_STATUS_ACTIVE
