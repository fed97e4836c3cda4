"""What changes matches: every command ends in one append, done exactly once however often it is asked for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.log.cursor import check_cursor
from core.log.types import Conflict, Cursor, Durability
from core.rpc.failures import ids_of
from core.telemetry import logs
from engines.kit.decide import accept_tail_loss, decide, pass_deadline, repeated
from engines.kit.draft import Draft
from engines.kit.fields import require_ids
from engines.kit.history import History
from engines.kit.host.answers import execute_response
from engines.kit.host.loss import log_lost_tail
from engines.kit.host.matches import Matches
from engines.kit.host.meters import Meters
from engines.kit.host.warm import WarmMatch
from engines.kit.host.writing import Writer
from engines.kit.requests import Asked, asked
from engines.kit.told import cursor_proto

_TRIES = 8
"""How often a command is decided anew because another replica wrote first; each time somebody else got on."""

_log = logs.get_logger("hamle.engine")


class Commands:
    """Does what actors, the timekeeper and operators ask for.

    `durability` is what the store promises; `now_ms` tells the store's time.
    """

    def __init__(
        self,
        matches: Matches,
        writer: Writer,
        durability: Durability,
        now_ms: Callable[[], int],
        meters: Meters,
    ) -> None:
        self._matches = matches
        self._writer = writer
        self._durability = durability
        self._now_ms = now_ms
        self._meters = meters

    async def execute(
        self, command: engine_pb2.ExecuteRequest, expires: float | None = None, trace: bytes = b""
    ) -> bytes:
        """Does a command: the bytes of an ExecuteResponse.

        `expires` is a time of `time.monotonic()`, None: never. `trace` is the W3C trace id that logs name.
        """
        began = time.perf_counter()
        try:
            answer = await self._execute(command, expires)
        except Refused as refused:
            self.refused(command, trace, refused)
            raise
        self._meters.total.observe(time.perf_counter() - began)
        self.done(command, trace)
        return answer

    def done(self, command: engine_pb2.ExecuteRequest, trace: bytes) -> None:
        """Logs, when debug lines are wanted, what was done."""
        if logs.debugs():
            _log.debug("command done", **self._ids(command, trace))

    def refused(self, command: engine_pb2.ExecuteRequest, trace: bytes, refused: Refused) -> None:
        """Counts a refusal of moves; logs any when debug lines are wanted."""
        if command.HasField("submit"):
            self._meters.refused(refused)
        if logs.debugs():
            _log.debug("command refused", **self._ids(command, trace), reason=refused.name)

    def seat(self, match_id: str, handle: str) -> dict[str, int]:
        """The handle's seat as a line of the log has it; nothing where it has none, or the match is not warm."""
        match = self._matches.cache.get(match_id)
        seat = None if match is None else match.history.state.life.seat_of(handle)
        return {} if seat is None else {"seat": seat}

    def _ids(self, command: engine_pb2.ExecuteRequest, trace: bytes) -> dict[str, Any]:
        """What a line of the log names a command by."""
        named = ids_of(command) | self.seat(command.match_id, command.handle)
        return {"kind": command.WhichOneof("command"), **named, "trace_id": trace.hex()}

    async def _execute(self, command: engine_pb2.ExecuteRequest, expires: float | None) -> bytes:
        require_ids(command.handle, command.request_id)
        call = asked(command)
        for _ in range(_TRIES):
            async with self._matches.locked(command.match_id) as match:
                try:
                    return await self._attempt(match, command, call, expires)
                except Conflict:
                    self._meters.stale.inc()
                    await self._matches.catch_up(match)
        raise _contended(command.match_id)

    async def _attempt(
        self, match: WarmMatch, command: engine_pb2.ExecuteRequest, call: Asked, expires: float | None
    ) -> bytes:
        history = match.history
        expected = command.expected
        if match.suspect or match.lost is not None or expected.seq > history.seq:
            await self._matches.catch_up(match)
            history = match.history
        if match.lost is not None:
            raise log_lost_tail(match.lost)
        repeat = repeated(history.done, call)
        if repeat is not None:
            if command.HasField("submit"):
                self._meters.repeated.inc()
            return execute_response(history.cursor_at(repeat.seq), self._durability)
        try:
            draft = await self._decide(match, command, call)
        except Refused:
            await self._require_fresh(match)
            raise
        decided = time.perf_counter()
        if not draft.steps:
            await self._require_fresh(match)
            return execute_response(match.history.head, self._durability)
        if expires is not None and time.monotonic() >= expires:
            raise Refused(
                error_pb2.REASON_DEADLINE_EXPIRED,
                "The call's time was over before anything was done. Retry with the same request id.",
            )
        appended = await self._writer.append(match, draft)
        self._meters.append.observe(time.perf_counter() - decided)
        if command.HasField("submit"):
            self._meters.accepted.inc()
        return execute_response(appended.head, appended.durability)

    async def _decide(self, match: WarmMatch, command: engine_pb2.ExecuteRequest, call: Asked) -> Draft:
        check_history(match.history, Cursor(command.expected.seq, command.expected.hash))
        now_ms = self._now_ms()
        if match.deadline is not None and match.deadline <= now_ms:
            await self._pass_due(match, now_ms)
        history = match.history
        started = time.perf_counter()
        draft = decide(history.game, history.state, history.hash, command, call, now_ms)
        self._meters.decide.observe(time.perf_counter() - started)
        return draft

    async def _require_fresh(self, match: WarmMatch) -> None:
        """Raises `Conflict` when others have gone on with the match: what was judged by the memory of it is void."""
        head = match.history.head
        await self._matches.catch_up(match)
        if match.lost is not None or match.history.head != head:
            raise Conflict(match.history.head)

    async def _pass_due(self, match: WarmMatch, now_ms: int) -> bool:
        """Does what a locked match's deadline has brought about; False when nothing was due."""
        history = match.history
        draft = pass_deadline(history.game, history.state, history.hash, now_ms)
        if not draft.steps:
            return False
        await self._writer.append(match, draft)
        return True

    async def pass_deadline(self, match_id: str) -> engine_pb2.PassDeadlineResponse:
        """Looks whether a deadline of the match has passed; asked by the timekeeper, safe to ask at any time."""
        for _ in range(_TRIES):
            async with self._matches.locked(match_id) as match:
                try:
                    await self._matches.catch_up(match)
                    if match.lost is not None:
                        raise log_lost_tail(match.lost)
                    done = await self._pass_due(match, self._now_ms())
                    return engine_pb2.PassDeadlineResponse(done=done, next_ms=match.deadline or 0)
                except Conflict:
                    continue
        raise _contended(match_id)

    async def accept_tail_loss(self, request: engine_pb2.AcceptTailLossRequest) -> engine_pb2.AcceptTailLossResponse:
        """Writes down that events are lost, so that play may go on; an operator's decision."""
        for _ in range(_TRIES):
            async with self._matches.locked(request.match_id) as match:
                try:
                    draft = await self._lost_draft(match, request.last_known_seq)
                    await self._writer.append(match, draft, accepts_loss=True)
                    return engine_pb2.AcceptTailLossResponse(cursor=cursor_proto(draft.cursor))
                except Conflict:
                    continue
        raise _contended(request.match_id)

    async def _lost_draft(self, match: WarmMatch, last_known: int) -> Draft:
        known = await self._matches.forget(match)
        history = match.history
        if known:
            # Where the loss was played over, the log may reach beyond it by now.
            last_known = max(last_known, known, history.seq + 1)
        return accept_tail_loss(history.game, history.state, history.hash, last_known, self._now_ms())


def check_history(history: History, cursor: Cursor) -> None:
    """Holds what a caller has seen against the log. Raises LOG_LOST_TAIL, HASH_MISMATCH."""
    known = 0 < cursor.seq <= history.seq
    check_cursor(cursor, history.head, history.hash_at(cursor.seq) if known else b"")


def _contended(match_id: str) -> Refused:
    return Refused(
        error_pb2.REASON_OVERLOADED,
        "Other servers keep writing to this match first. Retry with the same request id.",
        {"match_id": match_id},
        retry_after_ms=100,
    )
