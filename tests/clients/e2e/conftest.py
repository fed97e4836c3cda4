"""A whole installation, every process a real one: two gateways, two engines, the store, a timekeeper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from hamle_client import Client

from deploy.local.fleet import Fleet, Plan


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with Fleet(Plan(tmp_path_factory.mktemp("fleet"), games=("coerceo",), gateways=2, engines=2)) as running:
        yield running


@pytest.fixture
def address(fleet: Fleet) -> str:
    return ",".join(fleet.addresses)


@pytest.fixture
async def ada(address: str) -> AsyncIterator[Client]:
    async with Client(address, name="Ada", patience=60.0) as client:
        yield client


@pytest.fixture
async def bob(fleet: Fleet) -> AsyncIterator[Client]:
    """Comes in by the other gateway."""
    async with Client(",".join(reversed(fleet.addresses)), name="Bob", patience=60.0) as client:
        yield client
