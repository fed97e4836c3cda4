"""Engine replicas make themselves known in the store, under keys that expire when a replica no longer renews them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final

import structlog
from hamle.engine.v1.engine_pb2 import Announcement
from redis.asyncio import Redis
from redis.exceptions import RedisError

INDEX: Final = "{fleet}:engines"
EXPIRY_MS: Final = 3_000
RENEWAL_S: Final = 0.5
FORGET_AFTER_S: Final = 60.0

_log = structlog.get_logger("hamle.fleet")


class Announcer:
    """Keeps one replica's announcement alive."""

    def __init__(self, store: Redis, announcement: Announcement, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._announcement = Announcement()
        self._announcement.CopyFrom(announcement)
        self._name = f"{announcement.info.game}:{announcement.replica}"
        self._clock = clock
        self._stopping = asyncio.Event()
        self._lost = False

    async def drain(self) -> None:
        """Tells that the replica takes no new shards; raises a `RedisError` when the store did not take it.

        The next renewals tell it again in any case.
        """
        self._announcement.draining = True
        await self.write()

    async def write(self) -> None:
        """Writes the announcement once."""
        async with self._store.pipeline(transaction=False) as pipe:
            pipe.hset(INDEX, self._name, str(self._clock()))
            pipe.set(_key(self._name), self._announcement.SerializeToString(), px=EXPIRY_MS)
            await pipe.execute()

    async def renew(self) -> None:
        """Writes it again and again until `withdraw`, also after the store was away."""
        while not self._stopping.is_set():
            try:
                await self.write()
            except (RedisError, OSError) as error:
                if not self._lost:
                    _log.warning("announcement not renewed; trying on", engine=self._name, error=type(error).__name__)
                self._lost = True
            else:
                if self._lost:
                    _log.info("announced again", engine=self._name)
                self._lost = False
            try:
                await asyncio.wait_for(self._stopping.wait(), RENEWAL_S)
            except TimeoutError:
                continue

    async def withdraw(self, renewing: asyncio.Task[None]) -> None:
        """Ends the renewals and removes the announcement, as far as the store answers; else it expires."""
        self._stopping.set()
        await renewing
        try:
            async with self._store.pipeline(transaction=False) as pipe:
                pipe.delete(_key(self._name))
                pipe.hdel(INDEX, self._name)
                await pipe.execute()
        except (RedisError, OSError) as error:
            _log.warning("announcement not removed; it expires", engine=self._name, error=type(error).__name__)


@asynccontextmanager
async def announce(store: Redis, announcement: Announcement) -> AsyncIterator[Announcer]:
    """Announces an engine replica while the block runs; the store knows it when the block begins."""
    announcer = Announcer(store, announcement)
    await announcer.write()
    renewing = asyncio.create_task(announcer.renew(), name=f"announce {announcement.replica}")
    try:
        yield announcer
    finally:
        await asyncio.shield(announcer.withdraw(renewing))


async def read_announcements(store: Redis, clock: Callable[[], float] = time.time) -> list[Announcement]:
    """The replicas that are alive, by game and replica. Two round trips; sweeps what has been gone for a minute."""
    index = await store.hgetall(INDEX)
    names = sorted(name.decode() if isinstance(name, bytes) else name for name in index)
    if not names:
        return []
    values = await store.mget([_key(name) for name in names])
    found, gone = [], []
    for name, data in zip(names, values, strict=True):
        if isinstance(data, bytes):
            found.append(Announcement.FromString(data))
        elif clock() - float(index[name.encode()]) > FORGET_AFTER_S:
            gone.append(name)
    if gone:
        await store.hdel(INDEX, *gone)
    return found


def open_replicas(announcements: Iterable[Announcement], game: str) -> list[Announcement]:
    """The game's replicas that may own shards: those that do not drain; all of them when all drain."""
    of_game = [announcement for announcement in announcements if announcement.info.game == game]
    return [announcement for announcement in of_game if not announcement.draining] or of_game


def _key(name: str) -> str:
    return f"{{fleet}}:engine:{name}"
