"""A whole installation, every process a real one: two gateways, an engine, the store, a timekeeper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack

import pytest
from hamle_client import Client

from deploy.local.fleet import Fleet, Plan


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with Fleet(Plan(tmp_path_factory.mktemp("fleet"), games=("tashkalar",), gateways=2, engines=1)) as running:
        yield running


@pytest.fixture
async def people(fleet: Fleet) -> AsyncIterator[list[Client]]:
    """Four players; every other one comes in by the other gateway."""
    async with AsyncExitStack() as stack:
        ways = (fleet.addresses, fleet.addresses[::-1])
        yield [
            await stack.enter_async_context(Client(",".join(ways[number % 2]), name=f"P{number}", patience=60.0))
            for number in range(4)
        ]
