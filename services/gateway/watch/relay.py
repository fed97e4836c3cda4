"""One watcher and the engine watches that feed him, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import Final

from hamle.engine.v1.engine_pb2 import WatchMatchRequest
from hamle.error.v1.error_pb2 import (
    REASON_OVERLOADED,
    REASON_STORE_DOWN,
    REASON_WATCHER_TOO_SLOW,
)
from hamle.match.v1.match_pb2 import Cursor, Frame, Moved
from hamle.play.v1.play_pb2 import WatchMatchResponse

from core.errors import Refused, shutting_down, too_slow
from core.telemetry import trace
from services.gateway.exchange import wire
from services.gateway.exchange.exchange import Exchange
from services.gateway.exchange.lost import ConnectionLost
from services.gateway.routing.replica import Replica
from services.gateway.routing.router import Router, unavailable
from services.gateway.watch.outlet import Outlet
from services.gateway.watch.patience import Patience
from services.gateway.watch.resume import Resume, Verdict

SUBSCRIBE_MS: Final = 10_000
FAREWELL_S: Final = 1.0
_PASSING: Final = frozenset({REASON_STORE_DOWN, REASON_OVERLOADED, REASON_WATCHER_TOO_SLOW})
"""What an engine may end a watch with and yet take it up again a little later."""


class Turn(IntEnum):
    """Why the watch at the engine is over; the highest one counts."""

    NONE = 0
    RESUME = 1
    ENDED = 2
    TOO_SLOW = 3
    SHUTDOWN = 4
    TOKEN_OVER = 5


class Relay:
    """Forwards frames unread, each event once and in order, from whichever engine answers for the match.

    `greet` fills in the first frame. `run` returns when the gateway shuts down, and raises `Refused` when the watch
    cannot go on; its metadata then name the last event that was sent.
    """

    __slots__ = (
        "_exchange",
        "_failure",
        "_greet",
        "_handle",
        "_hash",
        "_joined",
        "_loop",
        "_omit_views",
        "_outlet",
        "_over",
        "_replica",
        "_resume",
        "_router",
        "_silent",
        "_subscribing",
        "_turn",
        "_waking",
        "_watch_id",
        "match_id",
    )

    def __init__(
        self,
        router: Router,
        match_id: str,
        handle: str,
        cursor: Cursor,
        omit_views: bool,
        outlet: Outlet,
        greet: Callable[[bytes], Awaitable[bytes]],
    ) -> None:
        self.match_id = match_id
        self._loop = asyncio.get_running_loop()
        self._router = router
        self._handle = handle
        self._omit_views = omit_views
        self._outlet = outlet
        self._greet = greet
        self._resume = Resume(cursor.seq)
        self._hash = cursor.hash
        self._joined: bytes | None = None
        self._exchange: Exchange | None = None
        self._replica: Replica | None = None
        self._watch_id = 0
        self._turn = Turn.NONE
        self._over: Refused | None = None
        self._failure: ConnectionLost | Refused | None = None
        self._waking: asyncio.Future[None] | None = None
        self._subscribing: asyncio.Timeout | None = None
        self._silent = 0

    def pushed(self, kind: str, seq: int, state_hash: bytes, frame: bytes) -> None:
        """As the exchange calls it."""
        self._silent = 0
        verdict = self._resume.judge(kind, seq)
        if verdict is not Verdict.SEND:
            if verdict is Verdict.RESUME:
                self._tell(Turn.RESUME)
            return
        if kind == "joined":
            self._joined = frame
            self._wake()
            return
        if kind == "step":
            self._hash = state_hash
        else:
            seq = 0
        outlet = self._outlet
        if outlet.send(frame, seq, state_hash):
            return
        if outlet.queue(frame, seq, state_hash):
            self._wake()
        else:
            self._tell(Turn.TOO_SLOW)

    def ended(self, why: Refused) -> None:
        """As the exchange calls it."""
        self._failure = why
        self._tell(Turn.ENDED)

    def lost(self) -> None:
        """As the exchange calls it."""
        self._failure = None
        self._tell(Turn.RESUME)

    def shut_down(self) -> None:
        """The gateway goes: the watcher is told where to go on from."""
        self._tell(Turn.SHUTDOWN)

    def end(self, why: Refused) -> None:
        """The token that the watch stands on holds no more: nothing further is told, also not what waits."""
        if self._over is None:
            self._over = why
            self._tell(Turn.TOKEN_OVER)

    def tick(self, most_silent: int) -> None:
        """Called again and again; an engine that has said nothing for so many ticks is asked anew."""
        self._silent += 1
        if self._silent >= most_silent and self._exchange is not None:
            self._silent = 0
            self._tell(Turn.RESUME)

    def follow_owner(self) -> None:
        """Called when replicas have come or gone: the events of a match are told first by the replica that owns it."""
        replica = self._replica
        if self._exchange is not None and replica is not None and not self._router.owns(replica, self.match_id):
            self._tell(Turn.RESUME)

    async def run(self) -> None:
        """Forwards until the end."""
        patience = Patience(self._loop.time())
        try:
            while True:
                began, seq = self._loop.time(), self._resume.seq
                try:
                    await self._subscribe()
                    await self._serve()
                except (ConnectionLost, Refused) as failure:
                    self._failure = failure
                except TimeoutError:
                    if self._turn < Turn.TOO_SLOW:
                        raise
                self._unsubscribe()
                if self._over is not None:
                    raise self._at_cursor(self._over)
                if self._turn is Turn.SHUTDOWN:
                    return await self._farewell()
                if self._turn is Turn.TOO_SLOW:
                    raise self._at_cursor(too_slow())
                patience.ended(began, self._loop.time(), self._resume.seq > seq)
                self._judge(patience)
                await asyncio.sleep(patience.pause_s())
        finally:
            self._unsubscribe()
            self._outlet.clear()

    async def _subscribe(self) -> None:
        if self._turn >= Turn.SHUTDOWN:
            return
        self._turn, self._failure = Turn.NONE, None
        self._resume.again()
        try:
            async with asyncio.timeout(None) as self._subscribing:
                replica = await self._router.replica_for(self.match_id, SUBSCRIBE_MS)
        finally:
            self._subscribing = None
        request = WatchMatchRequest(
            match_id=self.match_id,
            handle=self._handle,
            cursor=Cursor(seq=self._resume.seq, hash=self._hash),
            omit_views=self._omit_views,
        )
        exchange = replica.exchange()
        self._replica = replica
        payload = wire.payload(wire.WATCH, request.SerializeToString(), trace.current())
        self._watch_id = exchange.watch(payload, self)
        self._exchange = exchange

    def _unsubscribe(self) -> None:
        exchange, self._exchange = self._exchange, None
        if exchange is not None:
            exchange.unwatch(self._watch_id)

    async def _serve(self) -> None:
        while self._turn is Turn.NONE:
            if self._joined is not None:
                await self._outlet.write(await self._greet(self._joined))
                self._joined = None
                self._outlet.held = False
            await self._outlet.flush()
            if self._turn is Turn.NONE:
                self._waking = self._loop.create_future()
                await self._waking
                self._waking = None

    def _tell(self, turn: Turn) -> None:
        self._turn = max(self._turn, turn)
        if turn >= Turn.TOO_SLOW:
            self._outlet.hurry(FAREWELL_S if turn is Turn.SHUTDOWN else 0)
        if turn >= Turn.SHUTDOWN and self._subscribing is not None:
            self._subscribing.reschedule(self._loop.time())
        self._wake()

    def _wake(self) -> None:
        waking = self._waking
        if waking is not None and not waking.done():
            waking.set_result(None)

    def _judge(self, patience: Patience) -> None:
        """Returns when the watch may begin again; raises what ends it."""
        failure, greeted = self._failure, not self._outlet.held
        if failure is not None and not self._router.elsewhere(self.match_id, failure):
            assert isinstance(failure, Refused)
            if failure.reason not in _PASSING or not greeted:
                raise self._at_cursor(failure)
        if patience.is_over(self._loop.time(), greeted):
            raise self._at_cursor(failure if isinstance(failure, Refused) else unavailable())

    async def _farewell(self) -> None:
        outlet = self._outlet
        if outlet.held:
            raise shutting_down()
        if outlet.broken:
            return
        try:
            async with asyncio.timeout(FAREWELL_S):
                await outlet.flush()
                moved = Moved(cursor=Cursor(seq=outlet.seq, hash=outlet.hash), reason="shutdown")
                await outlet.write(WatchMatchResponse(frame=Frame(moved=moved)).SerializeToString())
        except TimeoutError:
            return

    def _at_cursor(self, refused: Refused) -> Refused:
        refused.metadata.setdefault("cursor_seq", str(self._outlet.seq))
        refused.metadata.setdefault("cursor_hash", self._outlet.hash.hex())
        return refused
