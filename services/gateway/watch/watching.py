"""All watchers of this gateway."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_OVERLOADED, REASON_SHUTTING_DOWN
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1.play_pb2 import WatchMatchRequest, WatchMatchResponse

from core.errors import Refused
from core.telemetry.metrics import FRAMES, WATCHERS, WATCHES_ENDED
from services.gateway.routing.router import Router
from services.gateway.seams import Players
from services.gateway.watch.direct import direct
from services.gateway.watch.outlet import Outlet
from services.gateway.watch.queue import Budget, FrameQueue
from services.gateway.watch.relay import Relay

TICK_S: Final = 5.0
SILENT_TICKS: Final = 5
_OPENING: Final = 64


class Watching:
    """Serves watches until `shut_down`.

    `most_watchers` at a time; frames that wait for one slow watcher take at most `most_queued_bytes`.
    """

    def __init__(
        self,
        router: Router,
        players: Players,
        *,
        most_watchers: int = 20_000,
        most_queued_bytes: int = 1 << 22,
        budget: Budget | None = None,
    ) -> None:
        self._router = router
        self._players = players
        self._most_watchers = most_watchers
        self._most_queued_bytes = most_queued_bytes
        self.budget = budget or Budget()
        self._relays: set[Relay] = set()
        self._by_match: Counter[str] = Counter()
        # A store has few connections, and after a restart thousands of watchers come at once.
        self._opening = asyncio.Semaphore(_OPENING)
        self._closing = False

    def __len__(self) -> int:
        return len(self._relays)

    async def watch(self, request: WatchMatchRequest, context: Any, account_id: str) -> None:
        """Serves one call until it ends. Raises `Refused`, as PlayService's WatchMatch says."""
        self._admit()
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
        self._admit()
        await self._run(relay, match_id, role)

    async def tick(self) -> None:
        """Looks after watches whose engine says nothing; runs until cancelled."""
        while True:
            await asyncio.sleep(TICK_S)
            for relay in list(self._relays):
                relay.tick(SILENT_TICKS)

    def shut_down(self) -> None:
        """Takes no new watchers, and tells all the others where to go on from."""
        self._closing = True
        for relay in self._relays:
            relay.shut_down()

    def _admit(self) -> None:
        if self._closing:
            raise Refused(
                REASON_SHUTTING_DOWN, "the server is going down; watch again, another one answers", retry_after_ms=200
            )
        if len(self._relays) >= self._most_watchers:
            raise Refused(
                REASON_OVERLOADED,
                "this server has as many watchers as it takes; try again after the delay",
                retry_after_ms=1000,
            )

    async def _run(self, relay: Relay, match_id: str, role: str) -> None:
        gauge, reason = WATCHERS.labels(role), "left"
        self._relays.add(relay)
        self._by_match[match_id] += 1
        gauge.inc()
        try:
            await relay.run()
            reason = "shutdown"
        except Refused as refused:
            reason = refused.name
            raise
        finally:
            gauge.dec()
            self._relays.discard(relay)
            self._by_match[match_id] -= 1
            if not self._by_match[match_id]:
                del self._by_match[match_id]
            WATCHES_ENDED.labels(reason).inc()
