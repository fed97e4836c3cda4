"""Following: what other replicas append reaches the watches here, and heartbeats say what the store says.

Reading every own append back would cost as much as the move itself. So the feed's dense positions are counted: an own
append answers its position, and only where a position is missing, or a shard's counter is ahead of what is known, is
the feed read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Protocol

import structlog

from core.errors import Refused
from core.log.keys import shard_of
from core.log.types import Cursor, FeedEntry
from core.telemetry.metrics import FEED_LAG_SECONDS
from engines.kit.host.matches import Matches
from engines.kit.host.warm import WarmMatch
from engines.kit.host.watch import by_sink
from engines.kit.told import heartbeat_frame

POLL_S: Final = 0.2
HEARTBEAT_S: Final = 10.0

_log = structlog.get_logger(__name__)


class Feed(Protocol):
    """The shards' feeds, as `core.log.feed` reads them."""

    async def positions(self, shards: Sequence[int]) -> Mapping[int, int]:
        """The position of each shard's last entry."""
        ...

    async def entries(self, shard: int, after: int) -> Sequence[FeedEntry] | None:
        """The entries after a position; None when the feed was trimmed beyond it."""
        ...


class Follower:
    """Keeps the warm matches that are watched, or of unknown state, at the log's head."""

    def __init__(
        self,
        matches: Matches,
        feed: Feed,
        heads: Callable[[Sequence[str]], Awaitable[Mapping[str, Cursor]]],
        now_ms: Callable[[], int],
    ) -> None:
        self._matches = matches
        self._feed = feed
        self._heads = heads
        self._now_ms = now_ms
        self._known: dict[int, int] = {}
        self._gaps: set[int] = set()
        self._renewed: set[int] = set()

    def appended(self, match: WarmMatch, position: int) -> None:
        """An own append has got this position in its shard's feed."""
        shard = int(match.match_id[:2])
        known = self._known.get(shard)
        if known is None or position == known + 1:
            self._known[shard] = position
        elif position > known:
            self._gaps.add(shard)

    def renewed(self, shards: frozenset[int]) -> None:
        """These shards' store may have forgotten acknowledged events: their warm matches must be held against it."""
        self._renewed |= shards

    async def run(self) -> None:
        """Follows until cancelled; goes on when the store is away."""
        loop = asyncio.get_running_loop()
        beat = loop.time()
        while True:
            started = loop.time()
            try:
                await self.poll()
                if started - beat >= HEARTBEAT_S:
                    beat = started
                    await self.beat()
            except Refused as refused:
                _log.warning("following paused", reason=refused.name)
            FEED_LAG_SECONDS.set(loop.time() - started)
            await asyncio.sleep(POLL_S)

    def _watched(self) -> dict[int, list[WarmMatch]]:
        shards: dict[int, list[WarmMatch]] = {}
        for match in self._matches.cache.matches():
            if match.watches or match.suspect:
                shards.setdefault(shard_of(match.match_id), []).append(match)
        return shards

    async def poll(self) -> None:
        """Looks once whether somebody else has written to a match that is watched here."""
        renewed, self._renewed = self._renewed, set()
        if renewed:
            await self._hold([match for match in self._matches.cache.matches() if shard_of(match.match_id) in renewed])
        watched = self._watched()
        for matches in watched.values():
            await self._hold([match for match in matches if match.suspect])
        # A shard is followed while something in it is watched; its position is learnt anew afterwards.
        for shard in self._known.keys() - watched.keys():
            del self._known[shard]
        gaps, self._gaps = self._gaps, set()
        positions = await self._feed.positions(sorted(watched))
        for shard, position in positions.items():
            known = self._known.get(shard)
            if known is None:
                self._known[shard] = position
                await self._compare(watched[shard])
            elif position > known or shard in gaps:
                await self._read(shard, known, watched[shard])

    async def _read(self, shard: int, after: int, matches: Sequence[WarmMatch]) -> None:
        entries = await self._feed.entries(shard, after)
        if entries is None:
            self._known.pop(shard, None)
            return
        if entries:
            self._known[shard] = max(self._known.get(shard, 0), entries[-1].position)
        heads = {entry.match_id: entry.head for entry in entries}
        behind = [match for match in matches if heads.get(match.match_id, match.history.head).seq > match.history.seq]
        await self._hold(behind)

    async def _compare(self, matches: Sequence[WarmMatch]) -> None:
        """Holds matches against their heads in the store; those that differ are brought up to date."""
        if not matches:
            return
        heads = await self._heads([match.match_id for match in matches])
        await self._hold([match for match in matches if heads[match.match_id] != match.history.head])

    async def _hold(self, matches: Sequence[WarmMatch]) -> None:
        for match in matches:
            async with match.lock:
                try:
                    await self._matches.catch_up(match)
                except Refused as refused:
                    _log.warning("match not brought up to date", match_id=match.match_id, reason=refused.name)

    async def beat(self) -> None:
        """Tells every watch how far the store says its match is."""
        watched = [match for matches in self._watched().values() for match in matches if match.watches]
        if not watched:
            return
        heads = await self._heads([match.match_id for match in watched])
        now_ms = self._now_ms()
        for match in watched:
            head = heads[match.match_id]
            if head != match.history.head:
                await self._hold([match])
            frame = heartbeat_frame(head, now_ms)
            for sink, ids in by_sink(match.watches.values()):
                sink.push(ids, Cursor(0), frame)
