"""Which shards' deadlines this timekeeper looks after: leases with fencing, shared out among those that run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from core.fleet.rendezvous import owner
from core.log.keys import SHARDS, deadlines_key, tag
from core.store.client import Client
from core.store.errors import store_errors
from core.store.functions import load_functions

LIBRARY: Final = "hamle_timekeeper_1"
LEASE_MS: Final = 3_000
PUT_OFF_MS: Final = 2_000
MOST_DUE: Final = 100

_PRESENT = "{fleet}:timekeepers"
_FUNCTIONS = Path(__file__).parent / "functions"


class Due(NamedTuple):
    """A match whose deadline has passed: its shard, and the score that it was put off to."""

    shard: int
    match_id: str
    score: int


class Leases:
    """The leases of one timekeeper, named `holder`; only its own shards' matches become due to it.

    All answers of the store are fenced: what a timekeeper does after its lease went to another changes nothing.
    """

    def __init__(self, store: Client, holder: str, functions: Mapping[str, str], now_s: Callable[[], float]) -> None:
        self._store: Any = store
        self._holder = holder
        self._functions = functions
        self._now_s = now_s
        self.fences: dict[int, int] = {}

    @classmethod
    async def open(cls, store: Client, holder: str, now_s: Callable[[], float] = time.time) -> Leases:
        """Makes the store's functions ready."""
        return cls(store, holder, await load_functions(store, LIBRARY, _FUNCTIONS), now_s)

    async def claim(self) -> None:
        """Renews what is held and takes what this timekeeper should have: its part among those that are present."""
        with store_errors():
            pipe = self._store.pipeline(transaction=False)
            pipe.zadd(_PRESENT, {self._holder: self._now_s()})
            pipe.zremrangebyscore(_PRESENT, "-inf", self._now_s() - LEASE_MS / 1000)
            pipe.zrange(_PRESENT, 0, -1)
            present = [name.decode() for name in (await pipe.execute())[2]]
            wanted = [shard for shard in range(SHARDS) if owner(shard, present or [self._holder]) == self._holder]
            pipe = self._store.pipeline(transaction=False)
            for shard in wanted:
                pipe.execute_command("FCALL", self._functions["claim"], 1, _lease_key(shard), self._holder, LEASE_MS)
            fences = await pipe.execute() if wanted else []
        self.fences = {shard: fence for shard, fence in zip(wanted, fences, strict=True) if fence}

    async def due(self) -> list[Due]:
        """Matches of the held shards whose deadline has passed; a shard whose lease is lost is let go."""
        shards = sorted(self.fences)
        if not shards:
            return []
        with store_errors():
            pipe = self._store.pipeline(transaction=False)
            for shard in shards:
                pipe.execute_command(
                    "FCALL",
                    self._functions["due"],
                    2,
                    _lease_key(shard),
                    deadlines_key(shard),
                    self.fences[shard],
                    MOST_DUE,
                    PUT_OFF_MS,
                )
            answers: Sequence[Any] = await pipe.execute()
        found: list[Due] = []
        for shard, answer in zip(shards, answers, strict=True):
            if answer == -1:
                del self.fences[shard]
            elif answer:
                found += [Due(shard, match_id.decode(), int(answer[0])) for match_id in answer[1:]]
        return found

    async def settle(self, due: Due, next_ms: int) -> bool:
        """Sets the match's next deadline (0: none) as its engine says it; False when that is no longer ours to do."""
        fence = self.fences.get(due.shard)
        if fence is None:
            return False
        with store_errors():
            answer = await self._store.execute_command(
                "FCALL",
                self._functions["settle"],
                2,
                _lease_key(due.shard),
                deadlines_key(due.shard),
                fence,
                due.match_id,
                due.score,
                next_ms,
            )
        return bool(answer == 1)


def _lease_key(shard: int) -> str:
    return f"{tag(shard)}:timekeeper"
