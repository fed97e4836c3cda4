"""ReplayService: states of the past, events, forks, exports."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from hamle.engine.v1 import engine_pb2 as engine
from hamle.replay.v1 import replay_pb2 as pb

from core.log.keys import match_id_for
from services.gateway import fields
from services.gateway.identity import Identity
from services.gateway.play.checks import MOST_SEQ
from services.gateway.players.players import Players
from services.gateway.replay.pages import page_start, page_token
from services.gateway.routing.calls import EngineCalls
from services.gateway.routing.router import Router

MOST_EVENTS: Final = 500
DEFAULT_EVENTS: Final = 100


class Replay:
    """The servicer."""

    def __init__(self, players: Players, router: Router, calls: EngineCalls) -> None:
        self._players = players
        self._router = router
        self._calls = calls

    async def GetStep(self, request: pb.GetStepRequest, context: Any, caller: Identity) -> Any:
        """The state after an event. The answer is the engine's, as bytes."""
        seq = _seq("seq", request.seq)
        handle = await self._handle(request.match_id, caller.account_id)
        return await self._calls.get_step(request.match_id, handle, seq)

    async def ListEvents(self, request: pb.ListEventsRequest, context: Any, caller: Identity) -> pb.ListEventsResponse:
        """A page of events."""
        match_id, after_seq = request.match_id, _seq("after_seq", request.after_seq)
        if request.page_size > MOST_EVENTS:
            raise fields.wrong("page_size", f"1 to {MOST_EVENTS}, or 0 for {DEFAULT_EVENTS}")
        start = page_start(match_id, after_seq, request.page_token)
        handle = await self._handle(match_id, caller.account_id)
        found = await self._calls.list_events(match_id, handle, start, request.page_size or DEFAULT_EVENTS)
        answer = pb.ListEventsResponse(events=found.events)
        if found.events and found.events[-1].cursor.seq < found.head.seq:
            answer.next_page_token = page_token(match_id, after_seq, found.events[-1].cursor.seq)
        return answer

    async def ForkMatch(self, request: pb.ForkMatchRequest, context: Any, caller: Identity) -> pb.ForkMatchResponse:
        """A new match from a copy of another's events. The same request id names the same new match."""
        request_id = fields.request_id(request.request_id)
        if not _seq("seq", request.seq):
            raise fields.wrong("seq", "the last event to copy, 1 or more")
        parent = fields.match_id(request.match_id)
        game = await self._router.game_of(parent)
        match_id = match_id_for(caller.account_id, request_id)
        asked = engine.ForkMatchRequest(
            match_id=match_id,
            request_id=request_id,
            parent=parent,
            seq=request.seq,
            seat=request.seat if request.HasField("seat") else None,
            handle=await self._players.bind(match_id, game, caller.account_id, caller.name),
            parent_handle=await self._players.handle_for(parent, caller.account_id) or "",
        )
        forked = (await self._calls.fork_match(asked)).match
        await self._players.name_seats(forked, caller.account_id)
        return pb.ForkMatchResponse(match=forked, invite_code=await self._players.invite_code(match_id))

    async def ExportMatch(self, request: pb.ExportMatchRequest, context: Any, caller: Identity) -> AsyncIterator[Any]:
        """The log's records. The answers are the engine's, as bytes."""
        handle = await self._handle(request.match_id, caller.account_id)
        async for record in self._calls.export_match(request.match_id, handle):
            yield record

    async def _handle(self, match_id: str, account_id: str) -> str:
        return await self._players.handle_for(fields.match_id(match_id), account_id) or ""


def _seq(field: str, value: int) -> int:
    if value > MOST_SEQ:
        raise fields.wrong(field, f"at most {MOST_SEQ}")
    return value
