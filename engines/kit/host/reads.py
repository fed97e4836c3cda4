"""What can be read of a match: views, choices, any state of its past, its records. All through one visible head."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Final

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.match.v1 import match_pb2

from core.errors import Refused
from core.log.types import Cursor
from engines.kit.conditions import seat_of
from engines.kit.fold import FoldedEvent, audience_of
from engines.kit.game import Choice
from engines.kit.history import History
from engines.kit.host.commands import check_history
from engines.kit.host.loss import log_lost_tail
from engines.kit.host.matches import Matches
from engines.kit.host.refusals import seq_out_of_range
from engines.kit.host.warm import WarmMatch
from engines.kit.life import Status
from engines.kit.materials import materials_of
from engines.kit.state import MatchState, canonical
from engines.kit.told import cursor_proto, match_proto, told_event, view_proto

FRESH_S: Final = 0.1
"""How old what is known of a log's head may be for a read; only where two replicas write does it matter at all."""
NOTHING: Final = match_pb2.Cursor()
"""What a caller knows who knows nothing of a match."""


def visible_head(match: WarmMatch, handle: str) -> int:
    """The last event that the handle may see. Every public read asks here, so that a delay for spectators is one line.

    There is no delay yet: everybody sees the head.
    """
    return match.history.seq


class Reads:
    """Answers questions about matches."""

    def __init__(self, matches: Matches) -> None:
        self._matches = matches

    async def _fresh(self, match_id: str, seq: int = 0) -> WarmMatch:
        """The match, up to date with the log of at most `FRESH_S` ago, and with event `seq` if the log has it."""
        match = await self._matches.get(match_id)
        behind = match.history.seq < seq or time.monotonic() - match.confirmed > FRESH_S
        if behind or match.suspect or match.lost is not None:
            async with self._matches.locked(match_id) as match:
                await self._matches.catch_up(match)
        if match.lost is not None:
            raise log_lost_tail(match.lost)
        return match

    async def _known(self, match_id: str, known: match_pb2.Cursor) -> History:
        """The match's history, at least as new as what is `known`. Raises LOG_LOST_TAIL, HASH_MISMATCH."""
        history = (await self._fresh(match_id, known.seq)).history
        check_history(history, Cursor(known.seq, known.hash))
        return history

    async def match(self, match_id: str, known: match_pb2.Cursor = NOTHING) -> engine_pb2.GetMatchResponse:
        """The match as lists show it, at least as new as what is `known`. Raises LOG_LOST_TAIL, HASH_MISMATCH."""
        history = await self._known(match_id, known)
        return engine_pb2.GetMatchResponse(match=match_proto(match_id, history.state, history.hash))

    async def view(self, match_id: str, handle: str, known: match_pb2.Cursor = NOTHING) -> engine_pb2.GetViewResponse:
        """The view at the head, as new as `match`. Raises MATCH_NOT_STARTED, LOG_LOST_TAIL, HASH_MISMATCH."""
        history = await self._known(match_id, known)
        state = history.state
        if state.game is None:
            raise Refused(
                error_pb2.REASON_MATCH_NOT_STARTED,
                "The match has not started, so there is nothing to see yet. Watch it, or wait for its start.",
            )
        seat = state.life.seat_of(handle)
        return engine_pb2.GetViewResponse(
            view=view_proto(history.game, state, history.hash, audience_of(state, handle)),
            seat=seat,
            decision_seq=0 if seat is None else state.decision[seat],
        )

    async def choices(
        self, match_id: str, handle: str, prefix: str, known: match_pb2.Cursor = NOTHING
    ) -> engine_pb2.ListChoicesResponse:
        """The legal ways for the handle's seat to go on from `prefix`, as new as `match`.

        Raises NOT_YOUR_SEAT, MATCH_NOT_STARTED, MATCH_FINISHED, LOG_LOST_TAIL, HASH_MISMATCH.
        """
        history = await self._known(match_id, known)
        state = history.state
        if state.life.status is not Status.ACTIVE:
            started = state.life.status is not Status.WAITING
            raise Refused(
                error_pb2.REASON_MATCH_FINISHED if started else error_pb2.REASON_MATCH_NOT_STARTED,
                "The match is over: there is nothing to choose. Replay it, or fork it to play on."
                if started
                else "The match has not started: there is nothing to choose yet. Wait for its start.",
                {"head_seq": str(state.seq)},
            )
        seat = seat_of(state, handle)
        found: Sequence[Choice] = ()
        if seat in history.game.may_act(state.game):
            found = history.game.choices(state.game, seat, prefix)
        return engine_pb2.ListChoicesResponse(
            choices=[match_pb2.Choice(text=c.text, targets=c.targets, complete=c.complete) for c in found],
            cursor=cursor_proto(history.head),
        )

    async def step(self, match_id: str, handle: str, seq: int) -> engine_pb2.GetStepResponse:
        """The event `seq` (0: the head) and the view after it."""
        match = await self._fresh(match_id, seq)
        head = visible_head(match, handle)
        if seq > head:
            raise seq_out_of_range(seq, head)
        wanted = seq or head
        async for recent in self._told(match, wanted - 1, wanted):
            audience = audience_of(match.history.state, handle)
            game = match.history.game
            told = told_event(game, recent.event, recent.cursor, recent.before, recent.folded.facts, audience)
            view = None
            if recent.folded.state.game is not None:
                view = view_proto(game, recent.folded.state, recent.cursor.hash, audience)
            return engine_pb2.GetStepResponse(
                step=match_pb2.Step(told=told, view=view), head=cursor_proto(match.history.cursor_at(head))
            )
        raise seq_out_of_range(wanted, head)

    async def events(self, match_id: str, handle: str, after: int, limit: int) -> engine_pb2.ListEventsResponse:
        """At most `limit` events after a seq, with their facts."""
        match = await self._fresh(match_id, after)
        head = visible_head(match, handle)
        audience = audience_of(match.history.state, handle)
        game = match.history.game
        last = min(head, after + min(max(limit, 1), 500))
        return engine_pb2.ListEventsResponse(
            events=[
                told_event(game, recent.event, recent.cursor, recent.before, recent.folded.facts, audience)
                async for recent in self._told(match, after, last)
            ],
            head=cursor_proto(match.history.cursor_at(head)),
        )

    async def missing(self, match: WarmMatch, cursor: Cursor, handle: str) -> list[FoldedEvent]:
        """The events that a watcher at `cursor` has not seen. Raises LOG_LOST_TAIL, HASH_MISMATCH."""
        check_history(match.history, cursor)
        return [recent async for recent in self._told(match, cursor.seq, visible_head(match, handle))]

    async def _told(self, match: WarmMatch, after: int, last: int) -> AsyncIterator[FoldedEvent]:
        """The events after `after` up to `last`: from memory, or folded anew from the log when they are older."""
        kept = match.recent_after(after)
        if kept is not None:
            for recent in kept:
                if recent.cursor.seq <= last:
                    yield recent
            return
        async with aclosing(self._matches.records.past(match.match_id, History(self._matches.games))) as past:
            async for record, recent in past:
                if record.seq > last:
                    return
                if record.seq > after:
                    yield recent

    async def export(self, match_id: str, handle: str) -> AsyncIterator[engine_pb2.ExportMatchResponse]:
        """The log's records: raw once the match is over, else redacted for who asks."""
        match = await self._fresh(match_id)
        state: MatchState = match.history.state
        over = state.life.revealed
        audience = audience_of(state, handle)
        history = History(self._matches.games)
        last = visible_head(match, handle)
        async with aclosing(self._matches.records.past(match_id, history)) as past:
            async for record, recent in past:
                if record.seq > last:
                    return
                answer = engine_pb2.ExportMatchResponse(
                    cursor=cursor_proto(recent.cursor), match_id=match_id if record.seq == 1 else ""
                )
                if record.seq == 1:
                    materials = materials_of(history.game.info, dict(recent.folded.state.life.options))
                    answer.materials.extend(match_pb2.Material(**material._asdict()) for material in materials)
                if over:
                    answer.event = record.event
                    answer.canonical = canonical(history.game, recent.folded.state)
                else:
                    told = told_event(history.game, recent.event, recent.cursor, recent.before, (), audience)
                    answer.event = told.event.SerializeToString(deterministic=True)
                    answer.redacted = True
                yield answer
