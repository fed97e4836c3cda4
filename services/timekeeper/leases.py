"""Which shards' deadlines this timekeeper looks after: leases with fencing, shared out among those that run."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from redis.asyncio import RedisCluster

from core.errors import Refused
from core.fleet.rendezvous import owner
from core.log.keys import SHARDS, deadlines_key, tag
from core.store.client import Client
from core.store.functions import Call, Library, build_library, call_all, load
from core.store.round_trip import K, ask_all, told

LEASE_MS: Final = 3_000
PUT_OFF_MS: Final = 2_000
MOST_DUE: Final = 100

PRESENT: Final = "{fleet}:timekeepers"
"""Who runs: each timekeeper's name, with the store's time when it last claimed."""

LIBRARY: Final[Library] = build_library("hamle_timekeeper_1", Path(__file__).parent / "functions")


class Due(NamedTuple):
    """A match whose deadline has passed: its shard, and the score that it was put off to."""

    shard: int
    match_id: str
    score: int


class Leases:
    """The leases of one timekeeper, named `holder`; only its own shards' matches become due to it.

    Leases and presence last `lease_ms` by the store's clock; no process's own clock has a say.
    All answers of the store are fenced: what a timekeeper does after its lease went to another changes nothing.
    """

    def __init__(self, store: Client, holder: str, lease_ms: int) -> None:
        self._store = store
        self._holder = holder
        self._lease_ms = lease_ms
        self._present: list[str] = []
        self.fences: dict[int, int] = {}

    @classmethod
    async def open(cls, store: Client, holder: str, lease_ms: int = LEASE_MS) -> Leases:
        """Makes the store's functions ready. Raises `Refused` when the store is down or takes no writes."""
        await load(store, LIBRARY)
        return cls(store, holder, lease_ms)

    async def claim(self) -> Refused | None:
        """Renews what is held and takes what this timekeeper should have: its part among those that are present.

        Where a master of a cluster is away, shards of the others are claimed, and the answer says so: if it is the one
        that knows who is present, by what was true last. Raises `Refused` when nobody can answer.
        """
        there, unknown = await self._call_all({PRESENT: Call("present", [PRESENT], [self._holder, self._lease_ms])})
        if unknown is None:
            self._present = [name.decode() for name in there[PRESENT]]
        elif not (self._present and isinstance(self._store, RedisCluster)):
            raise unknown
        wanted = [shard for shard in range(SHARDS) if owner(shard, self._present) == self._holder]
        claims = {shard: Call("claim", [_lease_key(shard)], [self._holder, self._lease_ms]) for shard in wanted}
        fences, silent = await self._call_all(claims)
        kept = {shard: fence for shard, fence in self.fences.items() if shard in claims and shard not in fences}
        self.fences = kept | {shard: fence for shard, fence in fences.items() if fence}
        return unknown or silent

    async def leave(self) -> None:
        """Gives everything up and is no longer present: the others have it when they next claim. Claim no more."""
        self.fences = {}
        _, unknown = told([PRESENT], await ask_all(self._store, [("ZREM", PRESENT, self._holder)]))
        # A claim that was cut short may have taken shards without hearing so.
        _, silent = await self._call_all({s: Call("release", [_lease_key(s)], [self._holder]) for s in range(SHARDS)})
        if refused := unknown or silent:
            raise refused

    async def due(self) -> tuple[list[Due], Refused | None]:
        """Matches of the held shards whose deadline has passed, and why some masters did not say; None: all did.

        A shard whose lease is lost is let go.
        """
        asked = dict(self.fences)
        answers, silent = await self._call_all(
            {shard: Call("due", _keys(shard), [fence, MOST_DUE, PUT_OFF_MS]) for shard, fence in asked.items()}
        )
        found: list[Due] = []
        for shard, answer in answers.items():
            if answer == -1:
                # It may have been claimed anew, or given up, while the answer was on its way.
                if self.fences.get(shard) == asked[shard]:
                    del self.fences[shard]
            elif answer:
                found += [Due(shard, match_id.decode(), int(answer[0])) for match_id in answer[1:]]
        return found, silent

    async def settle(self, due: Due, next_ms: int) -> bool:
        """Sets the match's next deadline (0: none) as its engine says it; False when that is no longer ours to do."""
        fence = self.fences.get(due.shard)
        if fence is None:
            return False
        call = Call("settle", _keys(due.shard), [fence, due.match_id, due.score, next_ms])
        answers, silent = await self._call_all({due.shard: call})
        if silent is not None:
            raise silent
        return bool(answers[due.shard] == 1)

    async def _call_all(self, calls: Mapping[K, Call]) -> tuple[dict[K, Any], Refused | None]:
        return told(calls, await call_all(self._store, LIBRARY, calls.values()))


def _keys(shard: int) -> tuple[str, str]:
    return _lease_key(shard), deadlines_key(shard)


def _lease_key(shard: int) -> str:
    return f"{tag(shard)}:timekeeper"
