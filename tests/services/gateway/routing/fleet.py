"""Engines that announce themselves in a real store, and a gateway's directory that follows them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from hamle.engine.v1.engine_pb2 import Announcement
from hamle.match.v1.match_pb2 import GameInfo

from core.log.keys import players_key
from core.store.client import Client
from services.gateway.players.players import LIBRARY
from services.gateway.players.seating import GAME_FIELD
from services.gateway.routing.calls import EngineCalls
from services.gateway.routing.directory import Directory
from services.gateway.routing.follow import follow, refresh
from services.gateway.routing.games import MatchGames, Route
from services.gateway.routing.replica import Replica, Terms
from services.gateway.routing.router import Router
from services.gateway.stored import Stored
from tests.support.announcing import announce_for_good

MATCH = "07aaaaaaaaaaaaaaaa"
TERMS = Terms("fleet", stall_s=0.5, probe_s=3.0)


def announcement(
    replica: str, address: str, game: str = "coerceo", rules: tuple[str, ...] = ("coerceo/1",), draining: bool = False
) -> Announcement:
    info = GameInfo(game=game, rules=rules)
    return Announcement(replica=replica, address=address, info=info, draining=draining)


class Gateway:
    """The routing part of a gateway."""

    def __init__(self, store: Client, terms: Terms = TERMS, **router: Any) -> None:
        self.store = store
        self.learnt: list[bytes] = []
        self.plain = Stored(store, LIBRARY)
        self.games = MatchGames(lambda key, field: self.plain.do("HGET", key, field))
        self.directory = Directory(lambda told, lost: Replica(told, terms, lost), learn=self.learnt.append)
        self.router = Router(self.directory, self.games, **router)
        self.calls = EngineCalls(self.router, self.directory, self.games)
        self.announced: list[Announcement] = []
        self._following: asyncio.Task[None] | None = None

    async def announce(self, *announcements: Announcement) -> None:
        self.announced += announcements
        for told in announcements:
            await announce_for_good(self.store, told)
        await refresh(self.directory, self.store)

    async def create(self, *match_ids: str, game: str = "coerceo") -> None:
        for match_id in match_ids:
            await self.store.hset(players_key(match_id), GAME_FIELD, game)

    def follow(self) -> None:
        self._following = asyncio.create_task(follow(self.directory, self.store))

    async def close(self) -> None:
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self.directory.close()
        await self.plain.close()


@asynccontextmanager
async def gateway(store: Client, terms: Terms = TERMS, **router: Any) -> AsyncIterator[Gateway]:
    made = Gateway(store, terms, **router)
    try:
        yield made
    finally:
        await made.close()


def owner_first(directory: Directory, match_id: str, *engines: Any) -> list[Any]:
    """The engines, that which owns the match first."""
    address = directory.owner(Route("coerceo", int(match_id[:2]))).address
    return sorted(engines, key=lambda engine: bool(engine.address != address))
