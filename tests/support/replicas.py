"""Engine replicas in a test's own event loop, spoken to over their sockets. A conftest imports `start_engine`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
import pytest
from hamle.engine.v1 import engine_pb2, engine_pb2_grpc

from core.fleet.announcements import read_announcements
from core.fleet.credential import fleet_credential
from core.log.keys import match_id_for
from core.process.run import Process
from core.rpc.client import bearer_metadata
from core.settings import load
from core.store.client import Client, open_store
from engines.kit.host.main import Engine
from engines.kit.host.settings import EngineSettings
from tests.support.servers import StoreUnderTest
from tests.support.waiting import LONG_S


class Replica:
    """An engine in this event loop, spoken to over its socket."""

    def __init__(self, engine: Engine, process: Process, task: asyncio.Task[None], metadata: Any) -> None:
        self.engine = engine
        self.process = process
        self.task = task
        self.channel = grpc.aio.insecure_channel(f"127.0.0.1:{engine.port}")
        self.stub = engine_pb2_grpc.EngineServiceStub(self.channel)
        self.metadata = metadata

    async def call(self, method: str, request: Any, **more: Any) -> Any:
        return await getattr(self.stub, method)(request, metadata=self.metadata, timeout=LONG_S, **more)

    def stream(self, method: str, request: Any) -> Any:
        return getattr(self.stub, method)(request, metadata=self.metadata)

    async def create(self, name: str = "m", *, sit: bool = True, **fields: Any) -> str:
        """A match of ann and, unless she waits, bob; its id."""
        match_id = match_id_for(name)
        request = engine_pb2.CreateMatchRequest(match_id=match_id, request_id=name, handle="ann", **fields)
        if sit:
            request.sitters.add(seat=1, handle="bob")
        await self.call("CreateMatch", request)
        return match_id

    async def move(self, match_id: str, handle: str, expected: int, *moves: str, request_id: str = "") -> Any:
        request = engine_pb2.ExecuteRequest(
            match_id=match_id, handle=handle, request_id=request_id or f"{handle}-{expected}-{moves}"
        )
        request.expected.seq = expected
        request.submit.moves.extend(moves)
        return await self.call("Execute", request)

    async def stop(self) -> None:
        self.process.stopping.set()
        await self.task
        await self.process.keeper.close()
        await self.channel.close(None)


StartEngine: TypeAlias = Callable[..., Awaitable[Replica]]
"""Starts a replica of a game, with settings of an engine; it has announced itself then.

`over`: a store of the test's own, else the shared one.
"""


async def _names(store: Client) -> set[str]:
    return {told.replica for told in await read_announcements(store)}


@pytest.fixture
async def start_engine(valkey_server: StoreUnderTest) -> AsyncIterator[StartEngine]:
    replicas: list[Replica] = []

    async def start(game: Any, over: StoreUnderTest = valkey_server, **settings: Any) -> Replica:
        engine = Engine(
            load(
                EngineSettings,
                store_url=over.settings().url,
                durability="written",
                **{"drain_s": 0, "stop_grace_s": 0.5} | settings,
            ),
            game,
        )
        process = Process()
        async with await open_store(over.settings()) as store:
            metadata = bearer_metadata(await fleet_credential(store))
            before = await _names(store)
            task = asyncio.create_task(engine.run(process))
            while not task.done() and not await _names(store) - before:  # noqa: ASYNC110 - the store tells nobody
                await asyncio.sleep(0.005)
        if task.done():
            await task
        replicas.append(Replica(engine, process, task, metadata))
        return replicas[-1]

    yield start
    for replica in replicas:
        if not replica.task.done():
            await replica.stop()
