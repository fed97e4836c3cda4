"""The short way of a command: no task, and nothing is waited for but the store.

Nearly every move finds its match warm, free and at the head, and is legal. For these a task with its chain of
coroutines costs as much as the rules do.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from hamle.engine.v1 import engine_pb2

from core.log.types import Appended
from engines.kit.decide import decide
from engines.kit.draft import Draft
from engines.kit.fields import require_ids
from engines.kit.host.answers import execute_response
from engines.kit.host.matches import Matches
from engines.kit.host.meters import Meters
from engines.kit.host.warm import WarmMatch
from engines.kit.host.writing import Writer
from engines.kit.requests import asked

Ended = Callable[[engine_pb2.Call, float | None, bytes | BaseException], None]
"""Takes the call and its `expires` with the bytes of an ExecuteResponse, or why there are none."""


class ShortWay:
    """Begins commands for which nothing is in the way; all others are left to `Commands`, untouched."""

    def __init__(self, matches: Matches, writer: Writer, now_ms: Callable[[], int], meters: Meters) -> None:
        self._matches = matches
        self._writer = writer
        self._now_ms = now_ms
        self._meters = meters

    def begin(self, call: engine_pb2.Call, expires: float | None, ended: Ended) -> bool:
        """Decides the call's command and sends its append on the way; `ended` is called once the store has answered.

        False: nothing was done, and the command goes the long way, which says what is wrong with it. `expires` is as
        in `Commands.execute`. `ended` may get a `Conflict`: then the long way is to be taken too.
        """
        command = call.execute
        match = self._matches.cache.get(command.match_id)
        if match is None or match.suspect or match.lost is not None or match.lock.locked():
            return False
        began = time.perf_counter()
        draft = self._decide(match, command)
        if draft is None or (expires is not None and time.monotonic() >= expires) or not match.lock.try_acquire():
            return False
        decided = time.perf_counter()
        meters = self._meters
        meters.hit.inc()
        meters.decide.observe(decided - began)

        def answered(result: Appended | BaseException) -> None:
            match.lock.release()
            if isinstance(result, BaseException):
                ended(call, expires, result)
                return
            now = time.perf_counter()
            meters.append.observe(now - decided)
            meters.total.observe(now - began)
            if command.HasField("submit"):
                meters.accepted.inc()
            ended(call, expires, execute_response(result.head, result.durability))

        try:
            self._writer.append_soon(match, draft, answered)
        except BaseException:
            match.lock.release()
            raise
        return True

    def _decide(self, match: WarmMatch, command: engine_pb2.ExecuteRequest) -> Draft | None:
        """The command's events; None when there are none, or when anything at all is not as it nearly always is."""
        history = match.history
        expected = command.expected
        seq, hash = expected.seq, expected.hash
        now_ms = self._now_ms()
        if seq > history.seq or (match.deadline is not None and match.deadline <= now_ms):
            return None
        if hash and hash != history.hash_at(seq):
            return None
        try:
            require_ids(command.handle, command.request_id)
            call = asked(command)
            if call.key in history.done:
                return None
            draft = decide(history.game, history.state, history.hash, command, call, now_ms)
        except Exception:
            # Decided anew on the long way, which first looks whether the match is fresh, and tells of a fault.
            return None
        return draft if draft.steps else None
