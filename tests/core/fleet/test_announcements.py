from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import partial

import pytest
from hamle.engine.v1.engine_pb2 import Announcement
from hamle.match.v1.match_pb2 import GameInfo

from core.errors import Refused
from core.fleet import announcements
from core.fleet.announcements import (
    INDEX,
    Announcer,
    announce,
    games_announced,
    open_replicas,
    read_announcements,
)
from core.fleet.credential import fleet_credential
from core.store.client import Client, open_store
from tests.support.loglines import LogLines, log_lines
from tests.support.servers import StoreServer

__all__ = ["log_lines"]


def engine(replica: str, game: str = "coerceo", **more: object) -> Announcement:
    info = GameInfo(game=game, rules=[f"{game}/1"])
    return Announcement(replica=replica, address="127.0.0.1:1", info=info, **more)  # type: ignore[arg-type]


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while True:
            with suppress(Refused):
                if await condition():
                    return
            await asyncio.sleep(0.02)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replica that goes waits for the store as long as a slow machine needs."""
    monkeypatch.setattr(announcements, "GOODBYE_S", 60.0)


@pytest.fixture
async def own(start_server: Callable[..., StoreServer]) -> StoreServer:
    """A store that the test may kill."""
    return start_server()


@pytest.fixture
async def own_store(own: StoreServer) -> AsyncIterator[Client]:
    client = await open_store(own.settings())
    yield client
    await client.aclose()


async def test_nobody_is_announced_at_first(store: Client) -> None:
    assert await read_announcements(store) == []


async def test_announced_replicas_are_read_whole_and_in_order(store: Client) -> None:
    one, two = engine("b", descriptors=b"\x0a\x00"), engine("a")
    async with announce(store, one), announce(store, two):
        assert await read_announcements(store) == [two, one]


@pytest.mark.usefixtures("patient")
async def test_a_replica_that_stops_is_gone_at_once(store: Client) -> None:
    async with announce(store, engine("a")):
        pass
    assert await read_announcements(store) == []
    assert await store.keys("{fleet}*") == []


@pytest.mark.usefixtures("patient")
async def test_draining_is_told_at_once_and_goes_on_being_told(store: Client) -> None:
    async with announce(store, engine("a")) as announcer:
        await announcer.drain()
        assert [found.draining for found in await read_announcements(store)] == [True]
        await store.flushall()

        async def back() -> bool:
            return [found.draining for found in await read_announcements(store)] == [True]

        await until(back)


async def test_an_announcement_expires_unless_it_is_renewed(store: Client) -> None:
    await Announcer(store, engine("a")).write()
    assert -1 != await store.pttl("{fleet}:engine:coerceo:a") <= 3000


async def test_a_living_replica_outlasts_the_expiry_of_its_key(store: Client) -> None:
    async with announce(store, engine("a")):
        first = await store.hget(INDEX, "coerceo:a")

        async def renewed() -> bool:
            return await store.hget(INDEX, "coerceo:a") != first

        await until(renewed)


async def test_it_is_announced_again_when_the_store_comes_back_empty(own: StoreServer, own_store: Client) -> None:
    async with announce(own_store, engine("a")):
        own.kill()
        await asyncio.sleep(1.2)
        shutil.rmtree(own.folder)
        own.start()
        own.call("SET", "it", "answers")

        async def back() -> bool:
            return [found.replica for found in await read_announcements(own_store)] == ["a"]

        await until(back)


async def test_a_store_that_is_gone_does_not_keep_a_replica_from_stopping(own: StoreServer, own_store: Client) -> None:
    async with announce(own_store, engine("a")):
        own.kill()


async def test_what_nobody_foresaw_does_not_end_the_renewals_and_is_told_once(
    store: Client, log_lines: LogLines
) -> None:
    async def told(count: int) -> bool:
        return len(log_lines("")) == count

    async with announce(store, engine("a")):
        await store.delete(INDEX)
        await store.set(INDEX, "not a hash")
        await until(lambda: told(1))
        # Another renewal or two.
        await asyncio.sleep(0.7)
        await store.delete(INDEX)
        await until(lambda: told(2))
        assert len(await read_announcements(store)) == 1
    lines = [(line["level"], line["event"]) for line in log_lines("")]
    assert lines == [("error", "announcement not renewed; trying on"), ("info", "announced again")]


async def test_a_store_that_is_gone_is_told_as_such(own: StoreServer, own_store: Client) -> None:
    own.kill()
    announcing = announce(own_store, engine("a"))
    for call in (read_announcements(own_store), fleet_credential(own_store), announcing.__aenter__()):
        with pytest.raises(Refused) as caught:
            await call
        assert caught.value.name == "STORE_DOWN"


async def test_entries_of_the_index_are_swept_a_minute_after_their_replica_died(store: Client) -> None:
    await Announcer(store, engine("dead"), clock=lambda: time.time() - 61).write()
    await Announcer(store, engine("silent"), clock=lambda: time.time() - 30).write()
    await store.delete("{fleet}:engine:coerceo:dead", "{fleet}:engine:coerceo:silent")
    assert await read_announcements(store) == []
    assert list(await store.hgetall(INDEX)) == [b"coerceo:silent"]


async def test_a_living_replica_with_a_slow_clock_is_not_swept(store: Client) -> None:
    await Announcer(store, engine("a"), clock=lambda: 0.0).write()
    assert len(await read_announcements(store)) == 1
    assert await store.hlen(INDEX) == 1


def test_draining_replicas_own_nothing_unless_all_drain() -> None:
    going, staying, other = engine("a", draining=True), engine("b"), engine("c", game="itchyfeet")
    assert open_replicas([going, staying, other], "coerceo") == [staying]
    assert open_replicas([going, other], "coerceo") == [going]
    assert open_replicas([other], "coerceo") == []


async def test_games_are_known_to_be_about_as_long_as_a_replica_may_come_back(store: Client) -> None:
    assert await games_announced(store) == set()
    now = time.time()
    for name, game, ago in (("r1", "coerceo", 10), ("r2", "coerceo", 90), ("r3", "chess", 90)):
        await Announcer(store, engine(name, game), clock=partial(float, now - ago)).write()
    for key in [key async for key in store.scan_iter(match="{fleet}:engine:*")]:
        await store.delete(key)
    assert await read_announcements(store, clock=lambda: 0.0) == []
    assert await games_announced(store, clock=lambda: now) == {"coerceo"}


@pytest.mark.usefixtures("patient")
async def test_the_game_of_a_replica_that_withdrew_is_not_expected_back(store: Client) -> None:
    async with announce(store, engine("r1")):
        assert await games_announced(store) == {"coerceo"}
    assert await games_announced(store) == set()
