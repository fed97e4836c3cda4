from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from hamle_client import Client

from tests.clients.server import ScriptedServer, serve


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with serve(ScriptedServer()) as running:
        yield running


@pytest.fixture
async def client(server: ScriptedServer) -> AsyncIterator[Client]:
    async with Client(server.address, patience=10.0) as connected:
        yield connected
