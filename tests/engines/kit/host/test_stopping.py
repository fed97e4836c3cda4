"""An engine that is told to stop."""

from __future__ import annotations

from collections.abc import Callable

import grpc
import pytest

from engines.coerceo.game import GAME as COERCEO
from tests.engines.kit.host.test_watching import frames, watch
from tests.support.replicas import StartEngine
from tests.support.servers import StoreServer


@pytest.mark.parametrize("away", [False, True])
async def test_it_ends_its_watches_in_good_order_also_while_the_store_is_away(
    start_engine: StartEngine, start_server: Callable[..., StoreServer], away: bool
) -> None:
    server = start_server()
    replica = await start_engine(COERCEO, over=server)
    watching = watch(replica, await replica.create())
    await frames(watching, 6)
    if away:
        server.kill()
    await replica.stop()
    assert await watching.read() is grpc.aio.EOF
    assert await watching.code() is grpc.StatusCode.OK
