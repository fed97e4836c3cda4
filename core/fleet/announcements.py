"""Engine replicas make themselves known in the store, under keys that expire when a replica no longer renews them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Final

from hamle.engine.v1.engine_pb2 import Announcement
from hamle.match.v1.match_pb2 import GameInfo

from core.errors import Refused
from core.store.client import Client
from core.store.errors import store_errors
from core.store.outage import Outage
from core.telemetry.logs import get_logger

INDEX: Final = "{fleet}:engines"
EXPIRY_MS: Final = 3_000
RENEWAL_S: Final = 0.5
FORGET_AFTER_S: Final = 60.0
GOODBYE_S: Final = 1.0
"""How long a replica that stops waits for the store to take what it says: a silent one is not worth its grace."""

_log = get_logger("hamle.fleet")


class Announcer:
    """Keeps one replica's announcement alive."""

    def __init__(self, store: Client, announcement: Announcement, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._announcement = Announcement()
        self._announcement.CopyFrom(announcement)
        self._name = f"{announcement.info.game}:{announcement.replica}"
        self._clock = clock
        self._stopping = asyncio.Event()
        self._outage = Outage(_log, "announcement not renewed; trying on", "announced again", engine=self._name)

    async def drain(self) -> None:
        """Tells that the replica takes no new shards; a store that is away is told by the renewals, once it is back."""
        self._announcement.draining = True
        try:
            with store_errors():
                async with asyncio.timeout(GOODBYE_S):
                    await self.write()
        except Refused as refused:
            self._outage.begins(refused.name)

    def tell(self, info: GameInfo) -> None:
        """From the next renewal on this is what the replica runs."""
        self._announcement.info.CopyFrom(info)

    async def write(self) -> None:
        """Writes the announcement once. Raises `Refused` when the store did not take it."""
        with store_errors():
            await self._store.hset(INDEX, self._name, str(self._clock()))
            await self._store.set(_key(self._name), self._announcement.SerializeToString(), px=EXPIRY_MS)

    async def renew(self) -> None:
        """Writes it again and again until `withdraw`, also after the store was away."""
        while not self._stopping.is_set():
            try:
                await self.write()
            except Refused as refused:
                self._outage.begins(refused.name)
            except Exception as error:
                self._outage.begins(type(error).__name__, error)
            else:
                self._outage.ends()
            try:
                await asyncio.wait_for(self._stopping.wait(), RENEWAL_S)
            except TimeoutError:
                continue

    async def withdraw(self, renewing: asyncio.Task[None]) -> None:
        """Ends the renewals and removes the announcement, as far as the store answers; else it expires."""
        self._stopping.set()
        try:
            with store_errors():
                async with asyncio.timeout(GOODBYE_S):
                    await renewing
                    await self._store.delete(_key(self._name))
                    await self._store.hdel(INDEX, self._name)
        except Refused as refused:
            _log.warning("announcement not removed; it expires", engine=self._name, reason=refused.name)


@asynccontextmanager
async def announce(store: Client, announcement: Announcement) -> AsyncIterator[Announcer]:
    """Announces an engine replica while the block runs; the store knows it when the block begins.

    Raises `Refused` when the store does not take it then; later it is tried until it does.
    """
    announcer = Announcer(store, announcement)
    await announcer.write()
    renewing = asyncio.create_task(announcer.renew(), name=f"announce {announcement.replica}")
    try:
        yield announcer
    finally:
        await asyncio.shield(announcer.withdraw(renewing))


async def read_announcements(store: Client, clock: Callable[[], float] = time.time) -> list[Announcement]:
    """The replicas that are alive, by game and replica. Two round trips; sweeps what has been gone for a minute.

    Raises `Refused`: STORE_DOWN.
    """
    with store_errors():
        index: dict[bytes, bytes] = await store.hgetall(INDEX)  # type: ignore[assignment]
        names = sorted(index)
        values = await store.mget([_key(name.decode()) for name in names]) if names else []
        gone = []
        for name, data in zip(names, values, strict=True):
            if data is None and clock() - float(index[name]) > FORGET_AFTER_S:
                gone.append(name)
        if gone:
            await store.hdel(INDEX, *gone)
    return [Announcement.FromString(data) for data in values if isinstance(data, bytes)]


async def games_announced(store: Client, clock: Callable[[], float] = time.time) -> set[str]:
    """The games of replicas that were alive within the last minute and have not withdrawn.

    When the store was away their announcements may have expired, and they are about to announce themselves again.
    Raises `Refused`: STORE_DOWN.
    """
    with store_errors():
        index: dict[bytes, bytes] = await store.hgetall(INDEX)  # type: ignore[assignment]
    alive = [name for name, at in index.items() if clock() - float(at) <= FORGET_AFTER_S]
    return {name.decode().rpartition(":")[0] for name in alive}


def open_replicas(announcements: Iterable[Announcement], game: str) -> list[Announcement]:
    """The game's replicas that may own shards: those that do not drain; all of them when all drain."""
    of_game = [announcement for announcement in announcements if announcement.info.game == game]
    return [announcement for announcement in of_game if not announcement.draining] or of_game


def _key(name: str) -> str:
    return f"{{fleet}}:engine:{name}"
