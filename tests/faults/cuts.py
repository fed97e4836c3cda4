"""Connections that break in mid-call: between clients and gateways, gateways and engines, everybody and the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from tests.faults.proxy import Proxy
from tests.faults.world import World

LEGS = ("client", "engine", "store")
PROBABILITY = 0.05
LEAST = 10
LONGEST_S = 5.0


async def cut(world: World, leg: str) -> float:
    """Cuts at least so many connections of a leg as data pass through them, and then all that are open at once."""
    house = world.house
    legs: dict[str, Sequence[Proxy]] = {
        "client": house.gateway_proxies,
        "engine": [slot.proxy for slot in house.steady],
        "store": [house.store_proxy],
    }
    proxies = legs[leg]
    ledgers = world.ledgers
    before = sum(proxy.cuts for proxy in proxies)
    since = time.monotonic()
    try:
        for proxy in proxies:
            proxy.cutting = PROBABILITY
        while sum(proxy.cuts for proxy in proxies) - before < LEAST and time.monotonic() - since < LONGEST_S:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    finally:
        for proxy in proxies:
            proxy.cutting = 0.0
    world.cuts += sum(proxy.cuts for proxy in proxies) - before
    since = time.monotonic()
    for proxy in proxies:
        proxy.cut()
    return await world.next_moves(ledgers, since)
