"""Connections that are dead without saying so, as behind a router that has forgotten them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hamle_client import Client

from tests.clients.server import MATCH, ScriptedServer, hang, step_of, tell
from tests.clients.test_watching import END
from tests.faults.proxy import Proxy


class Forgetful(Proxy):
    """A way to the server that can forget all its connections: they stay open, and nothing passes any more."""

    def __init__(self, target: int) -> None:
        super().__init__(target, random.Random())
        self._forgotten: set[object] = set()

    def forget(self) -> None:
        self._forgotten.update(self._ends)

    def _pass_on(self, end: Any, peer: Any, data: bytes) -> None:
        if end not in self._forgotten:
            super()._pass_on(end, peer, data)


@asynccontextmanager
async def way_to(server: ScriptedServer) -> AsyncIterator[Forgetful]:
    way = Forgetful(int(server.address.rpartition(":")[2]))
    await way.start()
    try:
        yield way
    finally:
        await way.close()


@pytest.mark.parametrize("quiet_s", [0.0, 1.0], ids=["amid frames", "while all is quiet"])
async def test_a_client_of_one_gateway_gets_over_a_connection_that_is_dead_without_saying_so(
    server: ScriptedServer, quiet_s: float
) -> None:
    async with way_to(server) as way, Client(way.address) as client:
        server.streams += [tell(step_of(1), step_of(2), then=hang), tell(step_of(3), END)]
        watch = client.match(MATCH).watch()
        assert [(await anext(watch)).seq, (await anext(watch)).seq] == [1, 2]
        await asyncio.sleep(quiet_s)
        way.forget()

        async def rest() -> list[int]:
            return [step.seq async for step in watch]

        async with asyncio.timeout(60):
            games, seqs = await asyncio.gather(client.games(), rest())
        assert [info.game for info in games] == ["coerceo"]
        assert seqs == [3, 4]
