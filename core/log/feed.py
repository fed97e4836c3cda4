"""Following what other processes append: a shard's feed tells every append, so that nobody reads thousands of logs.

Positions are dense, so whoever appends knows its own positions from the answers and reads only the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from core.errors import Refused
from core.log.keys import feed_key, feed_position_key
from core.log.types import Cursor, FeedEntry
from core.store.client import Client
from core.store.round_trip import ask_all, get_all, told

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

    For a shard in `rescan`, compare the heads of all its matches that are kept: any may have changed. `silent` is why
    some shards' feeds were not read: their master is away. The next poll finds what is in them.
    """

    entries: Sequence[FeedEntry]
    rescan: frozenset[int]
    silent: Refused | None = None


class FeedFollower:
    """Follows the feeds of shards, without blocking reads and consumer groups. `start` first."""

    def __init__(self, client: Client, *, limit: int = LIMIT) -> None:
        self._client = client
        self._limit = limit
        self._positions: dict[int, Position] = {}

    @property
    def shards(self) -> frozenset[int]:
        """The shards that are followed."""
        return frozenset(self._positions)

    async def start(self, shards: Iterable[int]) -> Refused | None:
        """Follow these shards too, from now on; what is appended after this returns will be found.

        Those of a master that is away are not followed yet, are not among `shards`, and the answer says why.
        """
        stored, silent = await self._stored([shard for shard in shards if shard not in self._positions])
        self._positions |= {shard: Position(position) for shard, position in stored.items()}
        return silent

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

        Raises `Refused` STORE_DOWN when no master answers; then no entry is lost, the next poll finds it.
        """
        followed = dict(self._positions)
        # Compared with what was reached before asking: own appends are noted while the answer is on its way.
        before = {shard: known.reached for shard, known in followed.items()}
        stored, silent = await self._stored(list(followed))
        if silent is not None and not stored:
            raise silent
        rescan = {shard for shard, position in stored.items() if position < before[shard]}
        behind = [s for s, position in stored.items() if s not in rescan and position > followed[s].reached]
        fed, lost = await self._after({shard: followed[shard].reached for shard in behind})
        entries: list[FeedEntry] = []
        for shard, (after, found) in fed.items():
            if [entry.position for entry in found] == list(range(after + 1, after + 1 + len(found))) and found:
                known = followed[shard]
                entries += [e for e in found if e.position > known.reached and not known.is_own(e.position)]
                known.reach(found[-1].position)
            else:
                rescan.add(shard)
        for shard in rescan:
            followed[shard].restart(stored[shard])
        return Fed(entries, frozenset(rescan), silent or lost)

    async def _stored(self, shards: Sequence[int]) -> tuple[dict[int, int], Refused | None]:
        """The positions of the shards that are told, and why others are not."""
        counts, silent = await get_all(self._client, {shard: feed_position_key(shard) for shard in shards})
        return {shard: int(count or 0) for shard, count in counts.items()}, silent

    async def _after(
        self, positions: Mapping[int, int]
    ) -> tuple[dict[int, tuple[int, list[FeedEntry]]], Refused | None]:
        """The entries after the positions, beside these, of the shards that are told, and why others are not."""
        asked = [("XRANGE", feed_key(s), f"({after}-0", "+", "COUNT", self._limit) for s, after in positions.items()]
        found, silent = told(positions, await ask_all(self._client, asked))
        return {
            shard: (positions[shard], [_entry(*each) for each in entries]) for shard, entries in found.items()
        }, silent


def _entry(entry_id: bytes, fields: dict[bytes, bytes]) -> FeedEntry:
    return FeedEntry(int(entry_id.partition(b"-")[0]), fields[b"m"].decode(), Cursor(int(fields[b"s"]), fields[b"h"]))
