"""Processes killed with SIGKILL, and started again."""

from __future__ import annotations

import asyncio

from tests.faults.deadlines import Deadlines
from tests.faults.world import World


async def kill_engine(world: World) -> float:
    """An engine dies; the others take its matches over."""
    house = world.house
    await house.recovered()
    slot = world.chance.choice(house.steady)
    owned = await world.owned(slot)
    assert slot.runner is not None
    gap = await world.after_death(owned, await house.kill(slot.runner))
    house.recover(house.start_engine(slot))
    return gap


async def kill_gateway(world: World) -> float:
    """A gateway dies; clients go to the other one, and this one comes back on the same port."""
    house = world.house
    await house.recovered()
    gateway = world.chance.choice(house.fleet.gateways)
    since = await house.kill(gateway)
    gap = await world.next_moves(world.ledgers, since)
    house.recover(house.revive_gateway(gateway))
    return gap


async def kill_store(world: World) -> float:
    """The store dies and is started again over the same data."""
    house = world.house
    ledgers = world.ledgers
    since = await house.kill(house.store)
    await asyncio.sleep(world.chance.uniform(0, 1))
    await house.do(house.store.start)
    return await world.next_moves(ledgers, since)


async def kill_timekeeper(world: World, deadlines: Deadlines) -> None:
    """A timekeeper dies, or both, while deadlines are about to pass."""
    house = world.house
    planted = await deadlines.plant()
    await asyncio.sleep(world.chance.uniform(0, 1.5))
    both = world.faults["timekeeper killed"] % 2
    victims = house.fleet.timekeepers if both else [world.chance.choice(house.fleet.timekeepers)]
    house.no_timekeepers = True
    for victim in victims:
        await house.kill(victim)
    await asyncio.sleep(world.chance.uniform(0, 1.5))
    house.no_timekeepers = False
    await deadlines.met(planted)
