"""Following: what other replicas append reaches the watches here, and heartbeats say what the store says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Final

from core.errors import Refused
from core.log import feed
from core.log.keys import shard_of
from core.log.types import Cursor
from core.store.outage import Outage
from core.telemetry import logs
from core.telemetry.metrics import FEED_LAG_SECONDS
from engines.kit.host.matches import Matches
from engines.kit.host.warm import WarmMatch
from engines.kit.told import heartbeat_frame

POLL_S: Final = 0.2
HEARTBEAT_S: Final = 10.0

_log = logs.get_logger("hamle.engine")


class MatchFollower:
    """Keeps the warm matches that are watched, or whose memory may be wrong, at the log's head."""

    def __init__(
        self,
        matches: Matches,
        feeds: feed.FeedFollower,
        heads: Callable[[Sequence[str]], Awaitable[Mapping[str, Cursor]]],
        now_ms: Callable[[], int],
    ) -> None:
        self._matches = matches
        self._feeds = feeds
        self._heads = heads
        self._now_ms = now_ms
        self._renewed: set[int] = set()
        self._behind: set[str] = set()
        self._unsure: set[int] = set()
        self._looked = time.monotonic()

    def renewed(self, shards: frozenset[int]) -> None:
        """The store of these shards may have forgotten acknowledged events: hold their warm matches against it."""
        self._renewed |= shards

    def lag_s(self) -> float:
        """Seconds since the store last said everything that was asked of it. May be asked from any thread."""
        return time.monotonic() - self._looked

    async def run(self) -> None:
        """Follows until cancelled; goes on when the store was away."""
        FEED_LAG_SECONDS.set_function(self.lag_s)
        outage = Outage(_log, "following paused", "following again")
        loop = asyncio.get_running_loop()
        beat = loop.time()
        while True:
            started = loop.time()
            try:
                silent = await self.poll()
                if started - beat >= HEARTBEAT_S:
                    beat = started
                    await self.beat()
            except Refused as refused:
                silent = refused
            if silent is not None:
                outage.begins(silent.name)
            else:
                outage.ends()
                self._looked = time.monotonic()
            await asyncio.sleep(POLL_S)

    async def poll(self) -> Refused | None:
        """Looks once whether a match that is watched here has changed elsewhere.

        Where a master of a cluster is away, the matches of the others are looked after, and the answer says so. Raises
        `Refused` when nobody answers.
        """
        renewed, self._renewed = self._renewed, set()
        warm = self._matches.cache.matches()
        if self._behind:
            self._behind &= {match.match_id for match in warm}
        failed = await self._hold(match for match in warm if match.suspect or shard_of(match.match_id) in renewed)
        self._renewed |= renewed & {shard_of(match.match_id) for match in failed}
        followed = {shard_of(match.match_id) for match in warm if match.watches}
        self._feeds.stop(self._feeds.shards - followed)
        new = followed - self._feeds.shards
        silent = await self._feeds.start(new)
        if silent is not None and not self._feeds.shards:
            raise silent
        # What was appended before a shard was followed, or fell out of its feed, shows in the heads alone.
        self._unsure = (self._unsure | new) & followed
        found = await self._feeds.poll()
        self._unsure |= found.rescan
        # Some were made warm meanwhile, and what the feeds told is told once.
        warm = self._matches.cache.matches()
        changed = {entry.match_id: entry.head for entry in found.entries}
        await self._hold(
            match for match in warm if changed.get(match.match_id, match.history.head).seq > match.history.seq
        )
        unsure, self._unsure = self._unsure, set()
        try:
            await self._compare([match for match in warm if match.watches and shard_of(match.match_id) in unsure])
        except Refused:
            self._unsure |= unsure
            raise
        return found.silent or silent

    async def _compare(self, matches: Sequence[WarmMatch]) -> Mapping[str, Cursor]:
        """Holds matches against their heads in the store; those that differ are brought up to date.

        Of a match whose master is away there is no head, so nobody can be sure of it yet.
        """
        heads = await self._heads([match.match_id for match in matches])
        there = [match for match in matches if match.match_id in heads]
        self._unsure |= {shard_of(match.match_id) for match in matches if match.match_id not in heads}
        await self._hold(match for match in there if heads[match.match_id] != match.history.head)
        return heads

    async def _hold(self, matches: Iterable[WarmMatch]) -> list[WarmMatch]:
        """Brings matches up to date; gives those that could not be."""
        failed = []
        for match in list(matches):
            async with match.lock:
                if not self._matches.cache.holds(match):
                    continue
                try:
                    await self._matches.catch_up(match)
                except Refused as refused:
                    if match.match_id not in self._behind:
                        _log.warning("match not brought up to date", match_id=match.match_id, reason=refused.name)
                    self._behind.add(match.match_id)
                    self._unsure.add(shard_of(match.match_id))
                    failed.append(match)
                else:
                    self._behind.discard(match.match_id)
        return failed

    async def beat(self) -> None:
        """Tells every watch how far the store says its match is."""
        watched = [match for match in self._matches.cache.matches() if match.watches]
        heads = await self._compare(watched)
        now_ms = self._now_ms()
        for match in watched:
            head = heads.get(match.match_id)
            if head is None:
                continue
            frame = heartbeat_frame(head, now_ms)
            for sink, ids in match.watches.by_sink():
                sink.push(ids, Cursor(0), frame)
