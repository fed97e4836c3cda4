"""A gateway's play path over real sockets, with real tokens and players, in front of small engines."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
from hamle.play.v1.play_pb2 import SubmitMovesRequest
from hamle.play.v1.play_pb2_grpc import PlayServiceStub, add_PlayServiceServicer_to_server
from hamle.replay.v1.replay_pb2_grpc import ReplayServiceStub, add_ReplayServiceServicer_to_server
from redis.asyncio import Redis

from core.rpc.server import RpcServer
from core.settings import Settings, load
from services.gateway.access import PLAY_SERVICE, REPLAY_SERVICE, doors
from services.gateway.account.follower import AccountFollower, open_accounts
from services.gateway.account.tokens import sign
from services.gateway.account.verifier import CachedVerifier
from services.gateway.identity import Doorkeeper, Identity
from services.gateway.limits import Kind, Limiter, Rate
from services.gateway.play.service import Play
from services.gateway.players.players import open_players
from services.gateway.replay.service import Replay
from services.gateway.watch.watching import Watching
from tests.services.gateway.exchange.engine import Engine, Table, engine_for
from tests.services.gateway.routing.fleet import MATCH, Gateway, announcement, gateway, owner_first

PLENTY = Rate(1e6, 1_000_000)
BOTH = frozenset({"play", "watch"})
Metadata = tuple[tuple[str, str], ...]


class House:
    """The servers and what a client needs. `first` is the engine that owns `MATCH`, `second` its heir."""

    def __init__(self, store: Redis, routing: Gateway, engines: list[Engine]) -> None:
        self.store = store
        self.routing = routing
        self.first, self.second = owner_first(routing.directory, MATCH, *engines)
        self.table: Table = self.first.table
        self.ahead_s = 0.0

    async def open(self, kind: str, rate: Rate, watching: dict[str, Any], settings: dict[str, Any]) -> None:
        self.follower = AccountFollower(await open_accounts(self.store))
        await self.follower.start()
        self.door = Doorkeeper(
            CachedVerifier(self.follower),
            Limiter(dict.fromkeys(Kind, rate)),
            clock=lambda: time.time() + self.ahead_s,
        )
        self.players = await open_players(self.store)
        self.watching = Watching(self.routing.router, self.players, self.door, **watching)
        self.follower.on_revoked(self.watching.revoked)
        self.server = RpcServer(load(Settings, grpc_server=kind, **settings))
        play = Play(self.players, self.routing.router, self.watching)
        replay = Replay(self.players, self.routing.router, self.routing.calls)
        self.server.add(add_PlayServiceServicer_to_server, play, doors=doors(self.door, PLAY_SERVICE))
        self.server.add(add_ReplayServiceServicer_to_server, replay, doors=doors(self.door, REPLAY_SERVICE))
        await self.server.start()
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.server.port}")
        self.play = PlayServiceStub(self.channel)
        self.replay = ReplayServiceStub(self.channel)

    async def close(self) -> None:
        self.watching.shut_down()
        await self.channel.close(None)
        await self.server.stop(0.1)

    def later(self, by_ms: int) -> None:
        """Lets time pass for whoever looks at tokens at the gateway's door."""
        self.ahead_s += by_ms / 1000

    def token(self, name: str, scopes: frozenset[str] = BOTH, *, life_ms: int = 60_000, epoch: int = 0) -> Metadata:
        identity = Identity(f"account-{name}", name, scopes, epoch)
        signed = sign(self.follower.signing_key(), identity, int(time.time() * 1000), life_ms)
        return (("authorization", f"Bearer {signed.token}"),)

    async def sit(self, name: str, match_id: str = MATCH) -> Metadata:
        """Gives the account a handle in the match; the metadata of its calls."""
        await self.players.bind(match_id, "coerceo", f"account-{name}", name)
        return self.token(name)

    async def submit(self, who: Metadata, request_id: str, move: str = "d1e", seq: int = 1) -> int:
        request = SubmitMovesRequest(match_id=MATCH, request_id=request_id, moves=[move])
        request.expected.seq = seq
        return int((await self.play.SubmitMoves(request, metadata=who)).cursor.seq)


@asynccontextmanager
async def house(
    store: Redis,
    kind: str,
    *,
    rate: Rate = PLENTY,
    watching: dict[str, Any] | None = None,
    **settings: Any,
) -> AsyncIterator[House]:
    table = Table(MATCH)
    engines = [await engine_for(table), await engine_for(table)]
    try:
        async with gateway(store) as routing:
            await routing.announce(*(announcement(f"r{i}", engine.address) for i, engine in enumerate(engines)))
            await routing.create(MATCH)
            made = House(store, routing, engines)
            await made.open(kind, rate, watching or {}, settings)
            try:
                yield made
            finally:
                await made.close()
    finally:
        for engine in engines:
            await engine.stop()
