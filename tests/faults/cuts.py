"""Connections that break in mid-call: between clients and gateways, gateways and engines, everybody and the store."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from tests.faults.plumbing import Pipe
from tests.faults.world import World

LEGS = ("client", "engine", "store")
PROBABILITY = 0.05
LEAST = 10
LONGEST_S = 5.0


async def cut(world: World, leg: str) -> float:
    """Cuts at least so many connections of a leg as data pass through them, and then all that are open at once."""
    house = world.house
    legs: dict[str, Sequence[Pipe]] = {
        "client": house.gateway_pipes,
        "engine": [slot.pipe for slot in house.steady],
        "store": [house.store_pipe],
    }
    pipes = legs[leg]
    ledgers = world.ledgers
    before = await _cuts(pipes)
    limit = time.monotonic() + LONGEST_S
    try:
        for pipe in pipes:
            await pipe.cut_often(PROBABILITY)
        while await _cuts(pipes) - before < LEAST and time.monotonic() < limit:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    finally:
        for pipe in pipes:
            await pipe.cut_often(0.0)
    world.cuts += await _cuts(pipes) - before
    since = time.monotonic()
    for pipe in pipes:
        await pipe.cut()
    return await world.next_moves(ledgers, since)


async def _cuts(pipes: Sequence[Pipe]) -> int:
    return sum([await pipe.cuts() for pipe in pipes])
