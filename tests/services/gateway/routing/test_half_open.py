"""A way to an engine that is dead without saying so, as behind a router that has forgotten it."""

from __future__ import annotations

import asyncio

from hamle.engine.v1.engine_pb2 import ExecuteResponse
from redis.asyncio import Redis

from core.errors import Refused
from tests.clients.test_half_open import Forgetful
from tests.services.gateway.exchange.engine import Table, engine_for
from tests.services.gateway.routing.fleet import MATCH, announcement, gateway
from tests.services.gateway.routing.test_router import submit


async def test_an_only_engine_is_reached_again_over_another_connection(client: Redis) -> None:
    engine = await engine_for(Table(MATCH))
    way = Forgetful(int(engine.address.rpartition(":")[2]))
    await way.start()
    async with gateway(client) as there:
        await there.announce(announcement("r1", way.address))
        await there.create(MATCH)

        async def asked(request_id: str) -> int:
            async with asyncio.timeout(40):
                while True:
                    try:
                        answer = await there.router.ask(MATCH, submit(request_id), 5_000)
                    except Refused:
                        await asyncio.sleep(0.1)
                    else:
                        return int(ExecuteResponse.FromString(answer).cursor.seq)

        assert await asked("r1") == 1
        way.forget()
        assert await asked("r2") == 2
    await way.close()
    await engine.stop()
