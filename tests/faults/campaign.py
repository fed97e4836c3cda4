"""Which faults come when: all kinds in each round, in an order that the seed decides."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from tests.faults import kills, stops
from tests.faults.cuts import LEGS, cut
from tests.faults.deadlines import Deadlines
from tests.faults.gap_kills import every_gap, gap_kills
from tests.faults.table import Table
from tests.faults.tail import lose_tail
from tests.faults.world import World

OF_EACH_KIND = 5
GAPS, TAIL = "gaps", "tail lost"
OF_A_ROUND = 6 + len(LEGS) + len(every_gap())
"""Faults, each of another kind."""


async def campaign(world: World, tables: Sequence[Table], deadlines: Deadlines, rounds: int) -> None:
    """Does each kind of fault once a round.

    A timekeeper's death hides nothing of the others, so it comes beside them; but what it is to meet may not be lost
    with a tail. The engines that die in a gap do so two at a time.
    """
    await under_way(tables)
    for number in range(rounds):
        world.say(f"round {number + 1} of {rounds}")
        one_by_one = dict(_one_by_one(world, tables))
        order = [*one_by_one, GAPS]
        world.order.shuffle(order)
        async with asyncio.TaskGroup() as group:
            beside = group.create_task(
                world.strike("timekeeper killed", lambda: kills.kill_timekeeper(world, deadlines))
            )
            for kind in order:
                if kind == TAIL:
                    await beside
                if kind == GAPS:
                    gaps = every_gap()
                    world.order.shuffle(gaps)
                    await gap_kills(world, gaps)
                else:
                    await world.strike(kind, one_by_one[kind])


async def under_way(tables: Sequence[Table]) -> None:
    """Waits until a move has been accepted at each table: a fault that hits nothing shows nothing."""
    while not all(table.ledger is not None and table.ledger.accepted for table in tables):  # noqa: ASYNC110
        await asyncio.sleep(0.05)


def _one_by_one(world: World, tables: Sequence[Table]) -> list[tuple[str, Callable[[], Awaitable[float | None]]]]:
    return [
        ("engine killed", lambda: kills.kill_engine(world)),
        ("gateway killed", lambda: kills.kill_gateway(world)),
        ("store killed", lambda: kills.kill_store(world)),
        ("engine stopped", lambda: stops.stop_engine(world)),
        (TAIL, lambda: lose_tail(world, tables)),
        *((f"{leg} cut off", lambda leg=leg: cut(world, leg)) for leg in LEGS),
    ]
