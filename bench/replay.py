"""`hamle bench replay`: how fast the past is made present: a cold match loaded by an engine, events folded by one core.

Every event is parsed, its move applied by the rules, and its hash checked, as in live play and in `hamle verify`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Annotated, Any, Final

from annotated_types import Ge, Le

from bench import loop
from bench.asked import Count
from bench.machine import loop_ns
from bench.matches import match_records
from bench.records import LONGEST
from cli.output import Advance, unheard
from cli.own_servers import own_store
from core.log.appender import Appender
from core.log.keys import match_id_for
from core.log.losses import Losses
from core.log.reader import RedisLogReader
from core.log.types import START, Append, Durability, Record
from core.store.client import open_store
from core.store.settings import StoreSettings
from engines.coerceo.game import GAME
from engines.kit.history import History
from engines.kit.host.matches import Matches
from engines.kit.host.meters import Meters
from engines.kit.host.records import Records
from engines.kit.host.warm import WarmCache

BEGINNING: Final = 4
Events = Annotated[int, Ge(BEGINNING + 1), Le(BEGINNING + LONGEST)]
GAMES: Final = {GAME.info.rules: GAME}


def fold_events_per_s(records: Sequence[Record], runs: int, advance: Advance) -> float:
    """Events a second of CPU, hashes checked; the median of so many runs."""
    times = []
    for _ in range(runs):
        history = History(GAMES)
        began = time.process_time()
        for record in records:
            history.add(record)
        times.append(time.process_time() - began)
        advance(1)
    return len(records) / median(times)


async def _cold_load_ms(url: str, records: Sequence[Record], runs: int) -> float:
    settings = StoreSettings(url=url, durability=Durability.WRITTEN)
    store = await open_store(settings)
    match_id = match_id_for("bench replay")
    async with Appender(settings) as appender:
        await appender.append(Append(match_id, START, [(record.event, record.hash) for record in records]))
        cache = WarmCache(1 << 30)
        matches = Matches(GAMES, Records(RedisLogReader(store)), cache, Losses(store), Meters("coerceo"))
        times = []
        for _ in range(runs):
            began = time.perf_counter()
            await matches.get(match_id)
            times.append((time.perf_counter() - began) * 1e3)
            cache.drop(match_id)
    await store.aclose()
    return median(times)


def run(*, events: Events = 200, long: Events = 600, runs: Count = 9, advance: Advance = unheard) -> Mapping[str, Any]:
    """Loads a match of `events` events from a store of its own, and folds one of `long` events."""
    records = match_records(events)
    with own_store("everysec") as store:
        cold = loop.run(_cold_load_ms(store.url, records, runs))
    fold = fold_events_per_s(match_records(long), runs, advance)
    return {
        "events": events,
        "cold_load_ms": round(cold, 2),
        "fold_events_per_s": round(fold),
        "fold_us_per_event": round(1e6 / fold, 2),
        "python_loop_ns": loop_ns(),
        "runs": runs,
    }
