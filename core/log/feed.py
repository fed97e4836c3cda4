"""Following what other processes append: a shard's feed tells every append, so that nobody reads thousands of logs.

Positions are dense, so whoever appends knows its own positions from the answers and reads only the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from redis.asyncio import RedisCluster

from core.log.keys import feed_key, feed_position_key
from core.log.types import Cursor, FeedEntry
from core.store.client import Client
from core.store.errors import store_errors

LIMIT: Final = 1024
"""Entries of one shard read at a time; when more are missing, the rest come with the next poll."""


class Position:
    """What of one shard's feed is known. `reached`: every entry up to here is known."""

    __slots__ = ("_own", "reached")

    def __init__(self, reached: int) -> None:
        self.reached = reached
        self._own: set[int] = set()

    def note(self, position: int) -> None:
        """This entry is known: it tells of an own append."""
        if position > self.reached:
            self._own.add(position)
            self._advance()

    def reach(self, position: int) -> None:
        """Every entry up to this one is known."""
        self.reached = max(self.reached, position)
        self._own = {own for own in self._own if own > self.reached}
        self._advance()

    def restart(self, position: int) -> None:
        """The feed is another one, or was trimmed: go on from here."""
        self.reached = position
        self._own.clear()

    def is_own(self, position: int) -> bool:
        """Whether this entry was noted."""
        return position in self._own

    def _advance(self) -> None:
        while self.reached + 1 in self._own:
            self.reached += 1
            self._own.discard(self.reached)


class Fed(NamedTuple):
    """What a poll found: foreign entries, and the shards whose feed no longer holds what is missing.

    For a shard in `rescan`, compare the heads of all its matches that are kept: any may have changed.
    """

    entries: Sequence[FeedEntry]
    rescan: frozenset[int]


class FeedFollower:
    """Follows the feeds of shards, without blocking reads and consumer groups. `start` first."""

    def __init__(self, client: Client, *, limit: int = LIMIT) -> None:
        self._client: Any = client
        self._cluster = isinstance(client, RedisCluster)
        self._limit = limit
        self._positions: dict[int, Position] = {}

    @property
    def shards(self) -> frozenset[int]:
        """The shards that are followed."""
        return frozenset(self._positions)

    async def start(self, shards: Iterable[int]) -> None:
        """Follow these shards too, from now on; what is appended after this returns will be found."""
        new = [shard for shard in shards if shard not in self._positions]
        stored = await self._stored(new)
        self._positions |= {shard: Position(stored[shard]) for shard in new}

    def stop(self, shards: Iterable[int]) -> None:
        """Follow these shards no longer."""
        for shard in shards:
            self._positions.pop(shard, None)

    def note(self, shard: int, position: int) -> None:
        """An own append was answered with this position: its entry need not be read back."""
        known = self._positions.get(shard)
        if known is not None:
            known.note(position)

    async def poll(self) -> Fed:
        """What others appended since the last poll; one poll at a time.

        Raises `Refused` STORE_DOWN; then no entry is lost, the next poll finds it.
        """
        followed = dict(self._positions)
        # Compared with what was reached before asking: own appends are noted while the answer is on its way.
        before = {shard: known.reached for shard, known in followed.items()}
        stored = await self._stored(list(followed))
        rescan = {shard for shard in followed if stored[shard] < before[shard]}
        behind = [shard for shard in followed if shard not in rescan and stored[shard] > followed[shard].reached]
        entries: list[FeedEntry] = []
        for shard, (after, found) in (await self._after({s: followed[s].reached for s in behind})).items():
            if [entry.position for entry in found] == list(range(after + 1, after + 1 + len(found))) and found:
                known = followed[shard]
                entries += [e for e in found if e.position > known.reached and not known.is_own(e.position)]
                known.reach(found[-1].position)
            else:
                rescan.add(shard)
        for shard in rescan:
            followed[shard].restart(stored[shard])
        return Fed(entries, frozenset(rescan))

    async def _stored(self, shards: Sequence[int]) -> dict[int, int]:
        if not shards:
            return {}
        read = self._client.mget_nonatomic if self._cluster else self._client.mget
        with store_errors():
            counts = await read([feed_position_key(shard) for shard in shards])
        return {shard: int(count or 0) for shard, count in zip(shards, counts, strict=True)}

    async def _after(self, positions: dict[int, int]) -> dict[int, tuple[int, list[FeedEntry]]]:
        if not positions:
            return {}
        with store_errors():
            pipe = self._client.pipeline(transaction=False)
            for shard, position in positions.items():
                pipe.xrange(feed_key(shard), min=f"({position}-0", count=self._limit)
            replies = await pipe.execute()
        return {
            shard: (position, [_entry(*entry) for entry in reply])
            for (shard, position), reply in zip(positions.items(), replies, strict=True)
        }


def _entry(entry_id: bytes, fields: dict[bytes, bytes]) -> FeedEntry:
    return FeedEntry(int(entry_id.partition(b"-")[0]), fields[b"m"].decode(), Cursor(int(fields[b"s"]), fields[b"h"]))
