"""An engine that is told to stop."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from hamle.engine.v1 import engine_pb2, engine_pb2_grpc
from redis.exceptions import ResponseError

from core.fleet.announcements import INDEX
from core.fleet.credential import fleet_credential
from core.log.keys import match_id_for
from core.rpc.client import bearer_metadata
from core.store.client import open_store
from engines.coerceo.game import GAME as COERCEO
from tests.engines.kit.host.test_watching import frames, watch
from tests.services.gateway.main.processes import Role
from tests.support.replicas import StartEngine
from tests.support.servers import StoreServer

EOF: Any = grpc.aio.EOF  # type: ignore[attr-defined]


@pytest.fixture
def own(start_server: Callable[..., StoreServer]) -> StoreServer:
    """A store that the test may kill and stop."""
    return start_server()


@pytest.fixture
def start(own: StoreServer, tmp_path: Path) -> Iterator[Callable[..., Role]]:
    """Starts an engine as a process of its own."""
    started: list[Role] = []

    def begin(**env: Any) -> Role:
        started.append(Role("engines.coerceo", tmp_path, STORE_URL=own.settings().url, **env))
        return started[-1]

    yield begin
    for role in started:
        role.kill()


@pytest.mark.parametrize("away", [False, True])
async def test_it_ends_its_watches_in_good_order_also_while_the_store_is_away(
    start_engine: StartEngine, own: StoreServer, away: bool
) -> None:
    replica = await start_engine(COERCEO, over=own, stop_grace_s=60)
    watching = watch(replica, await replica.create())
    await frames(watching, 6)
    if away:
        own.kill()
    replica.process.stopping.set()
    assert await watching.read() is EOF
    assert await watching.code() is grpc.StatusCode.OK
    await replica.stop()


async def test_it_ends_its_watches_in_good_order_also_when_it_cannot_say_that_it_drains(
    start_engine: StartEngine, own: StoreServer
) -> None:
    replica = await start_engine(COERCEO, over=own, stop_grace_s=60)
    watching = watch(replica, await replica.create())
    await frames(watching, 6)
    async with await open_store(own.settings()) as store, store.pipeline(transaction=True) as pipe:
        pipe.delete(INDEX)
        pipe.set(INDEX, "not a hash")
        await pipe.execute()
    replica.process.stopping.set()
    assert await watching.read() is EOF
    assert await watching.code() is grpc.StatusCode.OK
    with pytest.raises(ResponseError):
        await replica.task
    await replica.process.keeper.close()
    await replica.channel.close(None)


async def test_a_store_that_does_not_answer_takes_nothing_of_its_grace(
    start: Callable[..., Role], own: StoreServer
) -> None:
    engine = await start(DRAIN_S="0").serves()
    async with await open_store(own.settings()) as store:
        metadata = bearer_metadata(await fleet_credential(store))
    async with grpc.aio.insecure_channel(engine.address) as channel:
        stub: Any = engine_pb2_grpc.EngineServiceStub(channel)
        asked = engine_pb2.CreateMatchRequest(match_id=match_id_for("m"), request_id="m", handle="ann")
        await stub.CreateMatch(asked, metadata=metadata)
        watching = stub.WatchMatch(engine_pb2.WatchMatchRequest(match_id=asked.match_id), metadata=metadata)
        await watching.read()
        own.pause()
        engine.signal(signal.SIGTERM)
        while await watching.read() is not EOF:
            continue
        assert await watching.code() is grpc.StatusCode.OK
    assert await asyncio.to_thread(engine.wait) == 0, engine.said


async def test_its_grace_begins_once_it_has_drained(start: Callable[..., Role]) -> None:
    engine = await start(DRAIN_S="8", STOP_GRACE_S="4").serves()
    engine.signal(signal.SIGTERM)
    assert await asyncio.to_thread(engine.wait) == 0, engine.said
