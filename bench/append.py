"""`hamle bench append`: appends a second that one process brings into the store, so many in flight at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from statistics import median
from typing import Annotated, Any

from annotated_types import Ge

from bench import loop
from bench.asked import Count, Fsync
from bench.machine import loop_ns
from cli.output import Advance, unheard
from cli.own_servers import own_store
from core.log.appender import Appender
from core.log.keys import match_id_for
from core.log.types import START, Append, Cursor, Durability
from core.store.settings import StoreSettings

_EVENT = bytes(100)


async def _writer(appender: Appender, name: str, until: float) -> int:
    match_id, head, count = match_id_for(name), START, 0
    # One at least: where the machine is busy the time may be over before it begins.
    while not count or time.perf_counter() < until:
        hash = count.to_bytes(16, "big")
        await appender.append(Append(match_id, head, [(_EVENT, hash)]))
        count += 1
        head = Cursor(count, hash)
    return count


async def _once(url: str, durability: Durability, in_flight: int, seconds: float, run: int) -> tuple[float, float]:
    async with Appender(StoreSettings(url=url, durability=durability)) as appender:
        began = time.perf_counter()
        until = began + seconds
        counts = await asyncio.gather(*(_writer(appender, f"{run} {n}", until) for n in range(in_flight)))
        return sum(counts) / (time.perf_counter() - began), appender.stats.mean


def run(
    *,
    in_flight: Count = 128,
    seconds: Annotated[float, Ge(0.1)] = 3.0,
    fsync: Fsync = "always",
    runs: Count = 3,
    advance: Advance = unheard,
) -> Mapping[str, Any]:
    """Appends of 100 bytes to `in_flight` logs, each one at a time, in a store of its own; medians of the runs."""
    durability = Durability.FSYNCED if fsync == "always" else Durability.WRITTEN
    figures = []
    with own_store(fsync) as store:
        for number in range(runs):
            figures.append(loop.run(_once(store.url, durability, in_flight, seconds, number)))
            advance(1)
    return {
        "in_flight": in_flight,
        "appends_per_s": round(median(rate for rate, _ in figures)),
        "batch_mean": round(median(mean for _, mean in figures), 1),
        "durability": durability.name.lower(),
        "python_loop_ns": loop_ns(),
        "runs": runs,
    }
