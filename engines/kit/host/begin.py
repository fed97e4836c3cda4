"""How a watch begins: the match as it stands, what the watcher has missed, the view at the head, then live."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2

from core.log.types import Cursor
from engines.kit.fold import audience_of
from engines.kit.host.loss import log_lost_tail
from engines.kit.host.matches import Matches
from engines.kit.host.publish import render
from engines.kit.host.reads import Reads
from engines.kit.host.warm import WarmMatch
from engines.kit.host.watch import Sink, Watch
from engines.kit.told import joined_frame, match_proto, view_frame, view_proto


class Watches:
    """Begins and ends watches."""

    def __init__(self, matches: Matches, reads: Reads) -> None:
        self._matches = matches
        self._reads = reads

    async def begin(self, sink: Sink, id: int, request: engine_pb2.WatchMatchRequest) -> tuple[WarmMatch, object]:
        """Tells the sink the first frames, and every event from then on under `id`.

        Gives what `end` takes. Raises MATCH_NOT_FOUND, HASH_MISMATCH, LOG_LOST_TAIL; then nothing was told.
        """
        cursor = Cursor(request.cursor.seq, request.cursor.hash)
        async with self._matches.locked(request.match_id) as match:
            await self._matches.catch_up(match)
            if match.lost is not None:
                raise log_lost_tail(match.lost)
            missing = await self._reads.missing(match, cursor, request.handle)
            history = match.history
            state = history.state
            audience = audience_of(state, request.handle)
            game = history.game
            sink.push([id], cursor, joined_frame(match_proto(match.match_id, state, history.hash), state.clock))
            for recent in missing:
                sink.push([id], recent.cursor, render(game, recent, recent.cursor, audience, with_view=False))
            if state.game is not None and not request.omit_views:
                view = view_proto(game, state, history.hash, audience)
                sink.push([id], history.head, view_frame(view))
            key = (sink, id)
            match.watches.add(key, Watch(sink, id, request.handle, request.omit_views))
            return match, key

    def end(self, match: WarmMatch, key: object) -> None:
        """Tells the watch nothing more."""
        match.watches.discard(key)
