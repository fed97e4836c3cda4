"""The public matches of all shards, kept in memory: asking for the list costs the store nothing."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Final

from hamle.event.v1.event_pb2 import VISIBILITY_PUBLIC
from hamle.match.v1.match_pb2 import (
    MATCH_STATUS_ACTIVE,
    MATCH_STATUS_UNSPECIFIED,
    MATCH_STATUS_WAITING,
    Match,
    MatchStatus,
)

from core.log.keys import SHARDS, listed_key
from services.gateway.players.index import Place
from services.gateway.stored import Stored

LISTED: Final = (MATCH_STATUS_WAITING, MATCH_STATUS_ACTIVE)

_AT_ONCE: Final = 8
_SHARE: Final = 20


class Listing:
    """What `{sNN}:listed` says of all shards, at most `hold_s` old, plus what this gateway itself has just done.

    Reading it all takes the longer the more matches there are, so it is read again only after twenty times as long.
    """

    def __init__(self, store: Stored, *, hold_s: float = 1.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._hold_s = hold_s
        self._monotonic = monotonic
        self._known: dict[str, tuple[bytes, Match]] = {}
        self._order: list[tuple[int, str]] = []
        self._stale_at = float("-inf")
        self._reading = asyncio.Lock()
        self._learned: dict[str, Match] = {}

    def __len__(self) -> int:
        """How many matches are kept in memory."""
        return len(self._known) + len(self._learned)

    def learn(self, match: Match) -> None:
        """Takes in what an engine has just said of a match, ahead of the store's list.

        Where that is read anew before anybody is told of it, nothing is kept, or a gateway that nobody asks for the
        list would keep all matches for ever.
        """
        reading = self._reading.locked()
        if not reading and self._monotonic() >= self._stale_at:
            return
        kept = Match()
        kept.CopyFrom(match)
        if reading:
            self._learned[match.match_id] = kept
        else:
            self._apply(kept)

    async def page(
        self, game: str, status: MatchStatus.ValueType, after: Place | None, limit: int
    ) -> tuple[list[Match], Place | None]:
        """At most `limit` matches, newest first, those after a place only; and the place of the last if more follow.

        Empty `game` and unspecified `status` take all. Raises `Refused` when the store does not answer.
        """
        await self._freshen()
        found: list[Match] = []
        start = 0 if after is None else bisect_right(self._order, (-after.at_ms, after.match_id))
        for key in self._order[start:]:
            match = self._known[key[1]][1]
            if (not game or match.game == game) and status in (MATCH_STATUS_UNSPECIFIED, match.status):
                if len(found) == limit:
                    return found, Place(found[-1].created_at_ms, found[-1].match_id)
                copy = Match()
                copy.CopyFrom(match)
                found.append(copy)
        return found, None

    async def _freshen(self) -> None:
        async with self._reading:
            began = self._monotonic()
            if began < self._stale_at:
                return
            self._learned.clear()
            known: dict[str, tuple[bytes, Match]] = {}
            for first in range(0, SHARDS, _AT_ONCE):
                keys = [listed_key(shard) for shard in range(first, first + _AT_ONCE)]
                for entries in await self._store.do_all([("HGETALL", key) for key in keys]):
                    for match_id, data in entries.items():
                        before = self._known.get(match_id.decode())
                        same = before is not None and before[0] == data
                        known[match_id.decode()] = before if same and before else (data, Match.FromString(data))
            self._known = known
            self._order = sorted(map(_key, (match for _, match in known.values())))
            for match in self._learned.values():
                self._apply(match)
            self._learned.clear()
            now = self._monotonic()
            self._stale_at = now + max(self._hold_s, _SHARE * (now - began))

    def _apply(self, match: Match) -> None:
        known = self._known.get(match.match_id)
        if known is not None and known[1].head.seq > match.head.seq:
            return
        at = bisect_left(self._order, _key(match))
        if match.visibility == VISIBILITY_PUBLIC and match.status in LISTED:
            self._known[match.match_id] = (b"", match)
            if known is None:
                self._order.insert(at, _key(match))
        elif known is not None:
            del self._known[match.match_id]
            del self._order[at]


def _key(match: Match) -> tuple[int, str]:
    return (-match.created_at_ms, match.match_id)
