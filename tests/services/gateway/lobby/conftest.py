from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from core.store.settings import StoreSettings
from tests.services.gateway.account.stores import client
from tests.services.gateway.lobby.house import Gateway, Guest, House, house

__all__ = ["client"]


@pytest.fixture
async def place(store_settings: StoreSettings) -> AsyncIterator[House]:
    async with house(store_settings) as place:
        yield place


@pytest.fixture
async def one(place: House) -> Gateway:
    return place.gateways[0]


@pytest.fixture
async def ann(one: Gateway) -> Guest:
    return await one.guest("Ann")


@pytest.fixture
async def bob(one: Gateway) -> Guest:
    return await one.guest("Bob")
