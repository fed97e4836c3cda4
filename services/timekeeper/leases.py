"""Which shards' deadlines this timekeeper looks after: leases with fencing, shared out among those that run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from redis.exceptions import ResponseError

from core.fleet.rendezvous import owner
from core.log.keys import SHARDS, deadlines_key, tag
from core.store.client import Client
from core.store.errors import store_errors
from core.store.functions import NOT_FOUND, load_functions

LIBRARY: Final = "hamle_timekeeper_1"
LEASE_MS: Final = 3_000
PUT_OFF_MS: Final = 2_000
MOST_DUE: Final = 100

PRESENT: Final = "{fleet}:timekeepers"
"""Who runs: each timekeeper's name, with the store's time when it last claimed."""

_FUNCTIONS = Path(__file__).parent / "functions"


_Call: TypeAlias = tuple[tuple[str, ...], tuple[str | int, ...]]
"""The keys and the arguments of a function."""


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

    def __init__(self, store: Client, holder: str, functions: Mapping[str, str], lease_ms: int) -> None:
        self._store: Any = store
        self._holder = holder
        self._functions = functions
        self._lease_ms = lease_ms
        self.fences: dict[int, int] = {}

    @classmethod
    async def open(cls, store: Client, holder: str, lease_ms: int = LEASE_MS) -> Leases:
        """Makes the store's functions ready."""
        return cls(store, holder, await load_functions(store, LIBRARY, _FUNCTIONS), lease_ms)

    async def claim(self) -> None:
        """Renews what is held and takes what this timekeeper should have: its part among those that are present."""
        (names,) = await self._call_all("present", [((PRESENT,), (self._holder, self._lease_ms))])
        present = [name.decode() for name in names]
        wanted = [shard for shard in range(SHARDS) if owner(shard, present) == self._holder]
        calls: list[_Call] = [((_lease_key(shard),), (self._holder, self._lease_ms)) for shard in wanted]
        fences = await self._call_all("claim", calls)
        self.fences = {shard: fence for shard, fence in zip(wanted, fences, strict=True) if fence}

    async def leave(self) -> None:
        """Gives everything up and is no longer present: the others have it when they next claim. Claim no more."""
        self.fences = {}
        with store_errors():
            await self._store.zrem(PRESENT, self._holder)
        # A claim that was cut short may have taken shards without hearing so.
        await self._call_all("release", [((_lease_key(shard),), (self._holder,)) for shard in range(SHARDS)])

    async def due(self) -> list[Due]:
        """Matches of the held shards whose deadline has passed; a shard whose lease is lost is let go."""
        asked = sorted(self.fences.items())
        answers = await self._call_all("due", [(_keys(shard), (fence, MOST_DUE, PUT_OFF_MS)) for shard, fence in asked])
        found: list[Due] = []
        for (shard, fence), answer in zip(asked, answers, strict=True):
            if answer == -1:
                # It may have been claimed anew, or given up, while the answer was on its way.
                if self.fences.get(shard) == fence:
                    del self.fences[shard]
            elif answer:
                found += [Due(shard, match_id.decode(), int(answer[0])) for match_id in answer[1:]]
        return found

    async def settle(self, due: Due, next_ms: int) -> bool:
        """Sets the match's next deadline (0: none) as its engine says it; False when that is no longer ours to do."""
        fence = self.fences.get(due.shard)
        if fence is None:
            return False
        (answer,) = await self._call_all("settle", [(_keys(due.shard), (fence, due.match_id, due.score, next_ms))])
        return bool(answer == 1)

    async def _call_all(self, function: str, calls: Sequence[_Call]) -> Sequence[Any]:
        """What the function of that file answers to each call; loads it again where the store has lost it."""
        if not calls:
            return []
        with store_errors():
            try:
                return await self._piped(function, calls)
            except ResponseError as error:
                if NOT_FOUND not in str(error):
                    raise
            self._functions = await load_functions(self._store, LIBRARY, _FUNCTIONS)
            return await self._piped(function, calls)

    async def _piped(self, function: str, calls: Sequence[_Call]) -> Sequence[Any]:
        pipe = self._store.pipeline(transaction=False)
        for keys, args in calls:
            pipe.execute_command("FCALL", self._functions[function], len(keys), *keys, *args)
        answers: Sequence[Any] = await pipe.execute()
        return answers


def _keys(shard: int) -> tuple[str, str]:
    return _lease_key(shard), deadlines_key(shard)


def _lease_key(shard: int) -> str:
    return f"{tag(shard)}:timekeeper"
