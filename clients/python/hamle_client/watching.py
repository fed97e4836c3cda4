"""Following a match through broken connections, restarts of servers and moves to others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field

from hamle.match.v1 import match_pb2
from hamle.play.v1.play_pb2 import WatchMatchRequest

from hamle_client.caller import Caller
from hamle_client.connections import Connection
from hamle_client.errors import HamleError
from hamle_client.progress import Progress, Verdict
from hamle_client.stream import FrameStream
from hamle_client.told import Cursor, Step, View
from hamle_client.types import Types


@dataclass
class Watch:
    """One watch of a match, over as many streams as it takes.

    `silence` is how long, in seconds, a stream may be silent before it is given up for dead; servers send heartbeats
    more often than that. `on_joined` hears of the match at the beginning of each stream.
    """

    caller: Caller
    types: Types
    match_id: str
    progress: Progress
    views: bool
    silence: float
    on_joined: Callable[[match_pb2.Joined], None]
    _retry: int = field(default=0, init=False)

    async def steps(self) -> AsyncGenerator[Step, None]:
        """Each event once, in order; ends when the match is over. Raises HamleError when it cannot go on."""
        clock = asyncio.get_running_loop().time
        lost_at: float | None = None
        while not self.progress.complete:
            with self.caller.pool.for_watch() as connection:
                token = self.caller.session.token
                try:
                    async with self._stream(connection) as stream:
                        while (frame := await stream.next()) is not None:
                            lost_at = None
                            view = await self._view(frame)
                            verdict = self.progress.take(frame)
                            if verdict is Verdict.TELL:
                                self._retry = 0
                                yield _step(frame, view)
                            if self.progress.complete:
                                return
                            if verdict is Verdict.RESUME:
                                break
                    delay = self._ended(frame, connection)
                except HamleError as error:
                    if error.reason == "TOKEN_EXPIRED" and token is not self.caller.session.token:
                        continue
                    # Patience begins with the loss: how long the caller has thought over a step, or a dead stream has
                    # been silent, is no time in which a server was looked for.
                    lost_at = clock() if lost_at is None else lost_at
                    delay = self._broken(error, connection, clock() - lost_at)
            if not self.progress.complete:
                await asyncio.sleep(delay)
            self._retry += 1

    def _stream(self, connection: Connection) -> FrameStream:
        self.progress.begin()
        cursor = self.progress.cursor
        request = WatchMatchRequest(
            match_id=self.match_id, cursor=cursor.to_proto() if cursor.seq else None, omit_views=not self.views
        )
        return FrameStream(connection, request, self.caller.session.metadata(self.match_id), self.silence)

    async def _view(self, frame: match_pb2.Frame) -> View | None:
        """The frame's view, unpacked. Comes before the frame counts as told, for it may ask the server."""
        if frame.HasField("joined"):
            self.on_joined(frame.joined)
        if frame.HasField("view"):
            return await self.types.view(frame.view)
        return await self.types.view(frame.step.view) if frame.step.HasField("view") else None

    def _ended(self, last: match_pb2.Frame | None, connection: Connection) -> float:
        if last is None:
            self.progress.end()
        elif last.HasField("moved"):
            self.caller.pool.failed(connection)
        return self.caller.backoff.delay(self._retry, self.caller.chance.random())

    def _broken(self, error: HamleError, connection: Connection, lost: float) -> float:
        delay = self.caller.delay(error, retry=self._retry, waited=lost)
        if delay is None and error.reason == "WATCHER_TOO_SLOW":
            delay = self.caller.backoff.delay(self._retry, self.caller.chance.random())
        if delay is None:
            raise error
        self.caller.note(error, connection)
        return delay


def _step(frame: match_pb2.Frame, view: View | None) -> Step:
    if frame.HasField("view"):
        return Step(Cursor.from_proto(frame.view.cursor), None, (), view)
    told = frame.step.told
    return Step(Cursor.from_proto(told.cursor), told.event, tuple(told.facts), view)
