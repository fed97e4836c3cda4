"""Which faults come when: all kinds by turns, in an order that the seed decides."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from tests.faults import kills, stops
from tests.faults.cuts import LEGS, cut
from tests.faults.deadlines import Deadlines
from tests.faults.gap_kills import every_gap, gap_kills
from tests.faults.table import Table
from tests.faults.tail import lose_tail
from tests.faults.world import World

OF_EACH_KIND = 5

Fault = Callable[[], Awaitable[float | None]]


async def campaign(world: World, tables: Sequence[Table], deadlines: Deadlines, rounds: int) -> None:
    """Does each kind of fault once a round."""
    for number in range(rounds):
        faults: list[tuple[str, Fault]] = [
            ("engine killed", lambda: kills.kill_engine(world)),
            ("gateway killed", lambda: kills.kill_gateway(world)),
            ("store killed", lambda: kills.kill_store(world)),
            ("timekeeper killed", lambda: kills.kill_timekeeper(world, deadlines)),
            ("engine stopped", lambda: stops.stop_engine(world)),
            ("tail lost", lambda: lose_tail(world, tables)),
        ]
        faults += [(f"{leg} cut off", lambda leg=leg: cut(world, leg)) for leg in LEGS]  # type: ignore[misc]
        world.order.shuffle(faults)
        world.say(f"round {number + 1} of {rounds}")
        for kind, fault in faults:
            await world.done(kind, await fault())
        gaps = every_gap()
        world.order.shuffle(gaps)
        await gap_kills(world, gaps)
