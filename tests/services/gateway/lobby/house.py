"""Real engines and gateways in one process: their stores, sockets and calls are those of production."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

import grpc
from hamle.account.v1.account_pb2 import SignInGuestRequest
from hamle.account.v1.account_pb2_grpc import AccountServiceStub, add_AccountServiceServicer_to_server
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceStub, add_LobbyServiceServicer_to_server

from core.fleet.credential import fleet_credential
from core.process.keeper import TaskKeeper
from core.process.run import Process
from core.rpc.client import bearer_metadata
from core.rpc.server import RpcServer
from core.settings import Settings, load
from core.store.client import Client, open_store
from core.store.settings import StoreSettings
from engines.coerceo.game import GAME as COERCEO
from engines.kit.host.main import Engine
from engines.kit.host.settings import EngineSettings
from engines.kit.state import AnyGame
from services.gateway.access import ACCOUNT_SERVICE, LOBBY_SERVICE, doors
from services.gateway.account.follower import AccountFollower, open_accounts
from services.gateway.account.service import Accounts
from services.gateway.account.verifier import CachedVerifier
from services.gateway.identity import Doorkeeper
from services.gateway.limits import Kind, Limiter, Rate
from services.gateway.lobby.catalogue import Catalogue
from services.gateway.lobby.listing import Listing
from services.gateway.lobby.lists import Lists
from services.gateway.lobby.pages import PURPOSE
from services.gateway.lobby.seats import Seats
from services.gateway.lobby.service import Lobby
from services.gateway.pairing.pairing import Pairings
from services.gateway.pairing.queue import Queue
from services.gateway.pairing.waiters import Waiters
from services.gateway.players.players import Players, open_players
from services.gateway.routing.calls import EngineCalls
from services.gateway.routing.directory import Directory
from services.gateway.routing.follow import follow, refresh
from services.gateway.routing.games import MatchGames
from services.gateway.routing.replica import Replica, Terms
from services.gateway.routing.router import Router
from tests.engines.kit.cardgame.game import GAME as CELLAR

GENEROUS = dict.fromkeys(Kind, Rate(10_000, 10_000))


@dataclass
class Guest:
    """Somebody who has signed in at a gateway."""

    name: str
    account_id: str
    metadata: tuple[tuple[str, str], ...]


@dataclass
class Gateway:
    """One gateway, its parts, and a client of it."""

    lobby: Any
    accounts: Any
    calls: EngineCalls
    directory: Directory
    players: Players
    listing: Listing
    queue: Queue
    waiters: Waiters
    pairings: Pairings
    catalogue: Catalogue

    async def guest(self, name: str, *scopes: str) -> Guest:
        answer = await self.accounts.SignInGuest(SignInGuestRequest(name=name, scopes=scopes))
        return Guest(name, answer.account.account_id, bearer_metadata(answer.token.token))

    async def guests(self, *names: str) -> list[Guest]:
        return [await self.guest(name) for name in names]


@asynccontextmanager
async def engine(store_settings: StoreSettings, game: AnyGame, **settings: Any) -> AsyncIterator[Process]:
    """A replica of the game's engine, which is announced when the block begins."""
    shared = {"store_url": store_settings.url, "store_cluster": store_settings.cluster, "durability": "written"}
    chosen = load(EngineSettings, drain_s=0, **shared, **settings)
    process = Process()
    running = asyncio.create_task(Engine(chosen, game).run(process))
    try:
        yield process
    finally:
        process.stopping.set()
        await running
        await process.keeper.close()
        assert process.keeper.failure is None


@asynccontextmanager
async def gateway(
    store_settings: StoreSettings,
    *,
    kind: Literal["native", "grpcio"] = "grpcio",
    rates: dict[Kind, Rate] | None = None,
    quiet_ms: int = 30_000,
    touch_s: float = 10.0,
    games: int = 0,
) -> AsyncIterator[Gateway]:
    """A gateway that has found engines of so many games."""
    async with AsyncExitStack() as stack:
        client: Client = await open_store(store_settings)
        stack.push_async_callback(client.aclose)
        keeper = await stack.enter_async_context(TaskKeeper())
        accounts = await open_accounts(client)
        stack.push_async_callback(accounts.close)
        terms = Terms(await fleet_credential(client))
        directory = Directory(lambda told, lost: Replica(told, terms, lost))
        stack.push_async_callback(directory.close)
        match_games = MatchGames(lambda key, field: accounts.do("HGET", key, field))
        calls = EngineCalls(Router(directory, match_games), directory, match_games)
        follower = AccountFollower(accounts)
        await follower.start()
        doorkeeper = Doorkeeper(CachedVerifier(follower), Limiter(rates or GENEROUS))
        players = await open_players(client)
        listing = Listing(accounts)
        catalogue = Catalogue(calls.list_games)
        queue = await Queue.open(client, quiet_ms=quiet_ms)
        waiters = Waiters(queue, touch_s=touch_s)
        pairings = Pairings(queue, waiters, calls, catalogue, players, listing)
        lobby = Lobby(
            catalogue,
            Seats(calls, catalogue, players, listing),
            Lists(calls, players, listing, lambda: follower.ring.derived(PURPOSE)),
            pairings,
        )
        server = RpcServer(load(Settings, port=0, grpc_server=kind))
        guests = Accounts(accounts, follower)
        server.add(add_AccountServiceServicer_to_server, guests, doors=doors(doorkeeper, ACCOUNT_SERVICE))
        server.add(add_LobbyServiceServicer_to_server, lobby, doors=doors(doorkeeper, LOBBY_SERVICE))
        port = await server.start()
        stack.push_async_callback(server.stop, 0)
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}"))
        keeper.keep("accounts", follower.run)
        keeper.keep("waiters", waiters.run)
        keeper.keep("directory", lambda: follow(directory, client))
        async with asyncio.timeout(20):
            while len(directory.games()) < games:
                await refresh(directory, client)
                await asyncio.sleep(0.02)
        yield Gateway(
            LobbyServiceStub(channel),
            AccountServiceStub(channel),
            calls,
            directory,
            players,
            listing,
            queue,
            waiters,
            pairings,
            catalogue,
        )
        assert keeper.failure is None


@dataclass
class House:
    """Gateways over engines for Coerceo, for two, and Cellar, for two to four."""

    gateways: list[Gateway]

    @property
    def lobby(self) -> Any:
        return self.gateways[0].lobby


@asynccontextmanager
async def house(store_settings: StoreSettings, gateways: int = 1, **options: Any) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        for game in (COERCEO, CELLAR):
            await stack.enter_async_context(engine(store_settings, game))
        yield House(
            [await stack.enter_async_context(gateway(store_settings, games=2, **options)) for _ in range(gateways)]
        )


def fresh() -> str:
    """A new request id."""
    return str(uuid.uuid4())
