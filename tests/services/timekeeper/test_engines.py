"""Whom a timekeeper asks about a deadline when the match's owner does not answer for it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest
from hamle.engine.v1 import engine_pb2_grpc
from hamle.engine.v1.engine_pb2 import Announcement
from hamle.error.v1.error_pb2 import REASON_ENGINE_UNAVAILABLE
from hamle.match.v1.match_pb2 import GameInfo

from core.errors import Refused
from core.fleet.announcements import read_announcements
from core.fleet.rendezvous import owner
from core.log.keys import match_id_for, shard_of
from core.store.client import Client
from engines.coerceo.game import GAME as COERCEO
from services.timekeeper.engines import Engines
from tests.engines.kit.cardgame import GAME as CELLAR
from tests.support.announcing import announce_for_good
from tests.support.replicas import Replica, StartEngine
from tests.support.waiting import until


@pytest.fixture
async def engines(store: Client) -> AsyncIterator[Engines]:
    opened = Engines(store)
    yield opened
    await opened.close()


class Mute(engine_pb2_grpc.EngineServiceServicer):
    """Takes calls and does not answer, as an engine does that was stopped."""

    address = ""
    asked = 0

    async def PassDeadline(self, request: Any, context: Any) -> Any:
        self.asked += 1
        await asyncio.sleep(60)


async def announced_too(store: Client, replica: str, address: str) -> None:
    told = Announcement(replica=replica, address=address, info=GameInfo(game="coerceo", rules=["coerceo/1"]))
    await announce_for_good(store, told)


async def owned_by(store: Client, engines: Engines, replica: Replica, name: str, address: str) -> str:
    """A new match, waiting, that a replica of that name owns; it is announced at the address, and `engines` know it."""
    await announced_too(store, name, address)
    names = [told.replica for told in await read_announcements(store) if told.info.game == "coerceo"]
    match = next(m for m in map(str, range(10_000)) if owner(shard_of(match_id_for(m)), names) == name)
    match_id = await replica.create(match, sit=False)
    await engines.refresh()
    return match_id


async def test_another_replica_is_asked_when_the_owner_is_gone(
    start_engine: StartEngine, store: Client, engines: Engines
) -> None:
    replica = await start_engine(COERCEO)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"127.0.0.1:{closed.getsockname()[1]}"
    match_id = await owned_by(store, engines, replica, "gone", address)
    assert (await engines.pass_deadline(match_id)).next_ms


@pytest.fixture
async def mute() -> AsyncIterator[Mute]:
    """An engine that does not answer; not announced."""
    mute, server = Mute(), grpc.aio.server()  # type: ignore[abstract]
    engine_pb2_grpc.add_EngineServiceServicer_to_server(mute, server)
    mute.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    yield mute
    await server.stop(None)


async def test_an_owner_that_does_not_answer_is_asked_last_until_the_next_refresh(
    start_engine: StartEngine, store: Client, engines: Engines, mute: Mute
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await owned_by(store, engines, replica, "mute", mute.address)
    for _ in range(2):
        assert (await engines.pass_deadline(match_id)).next_ms
    assert mute.asked == 1
    await announced_too(store, "mute", mute.address)
    await engines.refresh()
    assert (await engines.pass_deadline(match_id)).next_ms
    assert mute.asked == 2


async def test_another_replica_is_asked_when_the_owner_is_no_longer_announced(
    start_engine: StartEngine, store: Client, engines: Engines, mute: Mute
) -> None:
    replica = await start_engine(COERCEO)
    match_id = await owned_by(store, engines, replica, "mute", mute.address)
    passing = asyncio.ensure_future(engines.pass_deadline(match_id))
    await until(lambda: mute.asked == 1)
    await store.delete("{fleet}:engine:coerceo:mute")
    await engines.refresh()
    assert (await passing).next_ms


async def test_a_replica_that_does_not_run_the_rules_leaves_the_deadline_to_one_that_does(
    start_engine: StartEngine, store: Client, engines: Engines
) -> None:
    replica, other = await start_engine(COERCEO), await start_engine(CELLAR)
    (name,) = [told.replica for told in await read_announcements(store) if told.info.game == CELLAR.info.game]
    match_id = await owned_by(store, engines, replica, name, f"127.0.0.1:{other.engine.port}")
    assert (await engines.pass_deadline(match_id)).next_ms


async def test_when_nobody_answers_that_is_said(store: Client, engines: Engines, start_engine: StartEngine) -> None:
    replica = await start_engine(COERCEO)
    match_id = await replica.create(sit=False)
    await engines.refresh()
    await replica.stop()
    with pytest.raises(Refused) as raised:
        await engines.pass_deadline(match_id)
    assert raised.value.reason == REASON_ENGINE_UNAVAILABLE
