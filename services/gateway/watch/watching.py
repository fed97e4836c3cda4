"""All watchers of this gateway."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_OVERLOADED
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1.play_pb2 import WatchMatchRequest, WatchMatchResponse

from core.errors import Refused, shutting_down
from core.telemetry.metrics import FRAMES, WATCHERS, WATCHES_ENDED
from services.gateway.identity import Claims, Doorkeeper
from services.gateway.players.players import Players
from services.gateway.routing.directory import Directory
from services.gateway.routing.router import Router
from services.gateway.watch.direct import direct
from services.gateway.watch.holders import Holders
from services.gateway.watch.outlet import Outlet
from services.gateway.watch.queue import Budget, FrameQueue
from services.gateway.watch.relay import Relay

TICK_S: Final = 5.0
SILENT_TICKS: Final = 5
EXPIRE_S: Final = 1.0
_OPENING: Final = 64
_CHANGE_S: Final = 60.0


class Watching:
    """Serves watches until `shut_down`.

    `most_watchers` at a time, `most_of_one` of them of one account; frames that wait for one slow watcher take at most
    `most_queued_bytes`.
    """

    def __init__(
        self,
        router: Router,
        players: Players,
        door: Doorkeeper,
        *,
        most_watchers: int = 20_000,
        most_of_one: int = 5_000,
        most_queued_bytes: int = 1 << 22,
        budget: Budget | None = None,
    ) -> None:
        self._router = router
        self._players = players
        self._door = door
        self._most_watchers = most_watchers
        self._most_of_one = most_of_one
        self._most_queued_bytes = most_queued_bytes
        self.budget = budget or Budget()
        self._relays: set[Relay] = set()
        self._by_match: Counter[str] = Counter()
        self._holders = Holders(door.why_over)
        # A store has few connections, and after a restart thousands of watchers come at once.
        self._opening = asyncio.Semaphore(_OPENING)
        self._closing = False

    def __len__(self) -> int:
        return len(self._relays)

    async def watch(self, request: WatchMatchRequest, context: Any, account_id: str) -> None:
        """Serves one call until it or its token ends. Raises `Refused`, as PlayService's WatchMatch says."""
        claims = self._door.claims(context)
        self._admit(claims)
        match_id = request.match_id
        async with self._opening:
            handle = await self._players.handle_for(match_id, account_id) or ""
        role = "seat" if handle else "spectator"

        async def greet(frame: bytes) -> bytes:
            answer = WatchMatchResponse.FromString(frame)
            joined = answer.frame.joined
            joined.watchers = self._by_match[match_id]
            async with self._opening:
                await self._players.name_seats(joined.match, account_id)
            return answer.SerializeToString()

        queue = FrameQueue(self.budget, self._most_queued_bytes)
        outlet = Outlet(direct(context), context.write, queue, FRAMES.labels(role), request.cursor.seq)
        cursor = Cursor(seq=request.cursor.seq, hash=request.cursor.hash)
        relay = Relay(self._router, match_id, handle, cursor, request.omit_views, outlet, greet)
        # The call may have waited for the store meanwhile.
        self._admit(claims)
        await self._run(relay, claims, role)

    async def tick(self) -> None:
        """Looks after watches whose engine says nothing; runs until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            for relay in list(self._relays):
                relay.tick(SILENT_TICKS)

    async def expire(self) -> None:
        """Ends watches whose tokens end; runs until cancelled."""
        while True:
            await asyncio.sleep(EXPIRE_S)
            self._holders.expire(self._door.now_ms())

    def revoked(self, account_id: str) -> None:
        """Ends the watches of an account whose tokens were revoked."""
        self._holders.revoked(account_id, self._door.now_ms())

    async def follow_owners(self, directory: Directory) -> None:
        """Takes watches to the replicas that own their matches as these come and go; runs until cancelled."""
        while True:
            await directory.changed(_CHANGE_S)
            for relay in list(self._relays):
                relay.follow_owner()

    def shut_down(self) -> None:
        """Takes no new watchers, and tells all the others where to go on from."""
        self._closing = True
        for relay in self._relays:
            relay.shut_down()

    def _admit(self, claims: Claims) -> None:
        over = self._door.why_over(claims, self._door.now_ms())
        if over is not None:
            raise over
        if self._closing:
            raise shutting_down()
        of_one = self._holders.count(claims.identity.account_id)
        if len(self._relays) >= self._most_watchers or of_one >= self._most_of_one:
            raise Refused(
                REASON_OVERLOADED,
                f"this server takes {self._most_watchers} watches at a time, {self._most_of_one} of one account; end "
                "some, or try again after the delay",
                retry_after_ms=1000,
            )

    async def _run(self, relay: Relay, claims: Claims, role: str) -> None:
        gauge, reason = WATCHERS.labels(role), "left"
        self._relays.add(relay)
        self._holders.add(relay, claims)
        gauge.inc()
        self._by_match[relay.match_id] += 1
        try:
            await relay.run()
            reason = "shutdown"
        except Refused as refused:
            reason = refused.name
            raise
        finally:
            gauge.dec()
            self._relays.discard(relay)
            self._holders.remove(relay, claims)
            self._by_match[relay.match_id] -= 1
            if not self._by_match[relay.match_id]:
                del self._by_match[relay.match_id]
            WATCHES_ENDED.labels(reason).inc()
