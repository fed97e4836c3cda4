from __future__ import annotations

from core.log.types import Cursor
from engines.coerceo.game import GAME as COERCEO
from engines.kit.fold import FoldedEvent
from engines.kit.history import History
from engines.kit.host.warm import RECENT, WarmCache, WarmMatch
from engines.kit.host.watch import Watch
from tests.engines.kit.table import Table


def warm(name: str, moves: int = 10) -> WarmMatch:
    table = Table(COERCEO)
    table.play(1, moves=moves)
    match = WarmMatch(name, History({"coerceo/1": COERCEO}))
    for record in table.records:
        event, before, folded = match.history.add(record)
        match.recent.append(FoldedEvent(event, record.event, before, folded))
    return match


def test_the_least_recently_used_matches_go_when_the_bound_is_passed() -> None:
    one = warm("a").size()
    cache = WarmCache(3 * one)
    for name in "abc":
        cache.put(warm(name))
    cache.get("a")
    cache.put(warm("d"))
    assert [match.match_id for match in cache.matches()] == ["c", "a", "d"]
    assert cache.bytes <= 3 * one


def test_matches_that_are_watched_locked_or_lost_stay() -> None:
    cache = WarmCache(1)
    watched, locked, lost = warm("watched"), warm("locked"), warm("lost")
    watched.watches.add("key", Watch(None, 1, "", False))  # type: ignore[arg-type]
    lost.lost = (Cursor(9), Cursor(5))  # type: ignore[assignment]

    async def hold() -> None:
        async with locked.lock:
            for match in (watched, locked, lost, warm("other")):
                cache.put(match)
            assert {match.match_id for match in cache.matches()} == {"watched", "locked", "lost"}

    import asyncio

    asyncio.run(hold())


def test_where_too_much_must_stay_the_rest_goes_once_it_has_grown() -> None:
    cache = WarmCache(1)
    kept = [warm(name) for name in "abc"]
    for match in kept:
        match.watches.add("key", Watch(None, 1, "", False))  # type: ignore[arg-type]
        cache.put(match)
    kept[0].watches.discard("key")
    cache.put(kept[1])
    assert [match.match_id for match in cache.matches()] == ["a", "b", "c"]
    cache.put(warm("d"))
    assert [match.match_id for match in cache.matches()] == ["b", "c"]


def test_growth_counts_against_the_bound() -> None:
    cache = WarmCache(1 << 30)
    match = warm("a")
    cache.put(match)
    before = cache.bytes
    match.history.hashes += bytes(1600)
    cache.resize(match)
    assert cache.bytes == before + 1600
    cache.drop("a")
    assert (cache.bytes, len(cache)) == (0, 0)


def test_recent_events_are_told_from_memory_and_older_ones_are_not() -> None:
    match = warm("a", moves=RECENT + 20)
    head = match.history.seq
    assert match.recent_after(head) == []
    last, kept = match.recent_after(head - 3), match.recent_after(head - RECENT)
    assert last is not None
    assert [recent.cursor.seq for recent in last] == [head - 2, head - 1, head]
    assert kept is not None
    assert len(kept) == RECENT
    assert match.recent_after(head - RECENT - 1) is None


def test_the_size_of_a_match_is_bounded_by_its_recent_events_and_its_calls() -> None:
    short, long = warm("a", moves=100), warm("b", moves=300)
    assert long.size() - short.size() < 200 * 300
