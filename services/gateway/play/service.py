"""PlayService: looks at who calls and at the fields, and passes the rest on to the engine and back unread."""

from __future__ import annotations

from typing import Any, Final

from hamle.engine.v1 import engine_pb2 as engine
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1 import play_pb2 as pb

from core.telemetry import trace
from services.gateway import fields
from services.gateway.exchange import wire
from services.gateway.identity import Identity
from services.gateway.play import checks
from services.gateway.play.encode import submission
from services.gateway.players.players import Players
from services.gateway.routing.router import Router
from services.gateway.watch.watching import Watching

TIMEOUT_MS: Final = 10_000


class Play:
    """The servicer. `timeout_ms`: how long a call waits when the client does not say."""

    def __init__(self, players: Players, router: Router, watching: Watching, *, timeout_ms: int = TIMEOUT_MS) -> None:
        self._players = players
        self._router = router
        self._watching = watching
        self._timeout_ms = timeout_ms

    async def SubmitMoves(self, request: pb.SubmitMovesRequest, context: Any, caller: Identity) -> Any:
        """Moves. The answer is the engine's, as bytes."""
        match_id, request_id = request.match_id, fields.request_id(request.request_id)
        expected = checks.expected(request.expected)
        moves = checks.moves(request.moves)
        handle = self._players.remembered(match_id, caller.account_id) or await self._seat(match_id, caller.account_id)
        payload = wire.traced(submission(match_id, handle, request_id, expected, moves), trace.current())
        return await self._router.ask(match_id, payload, self._left_ms(context))

    async def UndoMoves(self, request: pb.UndoMovesRequest, context: Any, caller: Identity) -> Any:
        """Takes moves back."""
        fields.request_id(request.request_id)
        if request.to_seq > checks.MOST_SEQ:
            raise fields.wrong("to_seq", f"at most {checks.MOST_SEQ}")
        command = engine.ExecuteRequest(
            match_id=request.match_id,
            handle=await self._seat(request.match_id, caller.account_id),
            request_id=request.request_id,
            expected=Cursor.FromString(checks.expected(request.expected)),
            undo=engine.Undo(to_seq=request.to_seq),
        )
        return await self._execute(command, context)

    async def Resign(self, request: pb.ResignRequest, context: Any, caller: Identity) -> Any:
        """Gives the seat up."""
        command = engine.ExecuteRequest(
            match_id=request.match_id,
            request_id=fields.request_id(request.request_id),
            handle=await self._seat(request.match_id, caller.account_id),
            resign=engine.Resign(),
        )
        return await self._execute(command, context)

    async def ListChoices(self, request: pb.ListChoicesRequest, context: Any, caller: Identity) -> Any:
        """The legal ways to go on."""
        asked = engine.ListChoicesRequest(
            match_id=request.match_id,
            prefix=checks.text("prefix", request.prefix),
            known=checks.place("known", request.known),
            handle=await self._seat(request.match_id, caller.account_id),
        )
        return await self._ask(request.match_id, wire.LIST_CHOICES, asked.SerializeToString(), context)

    async def GetView(self, request: pb.GetViewRequest, context: Any, caller: Identity) -> Any:
        """The view at the head."""
        handle = await self._players.handle_for(fields.match_id(request.match_id), caller.account_id)
        known = checks.place("known", request.known)
        asked = engine.GetViewRequest(match_id=request.match_id, handle=handle or "", known=known)
        return await self._ask(request.match_id, wire.GET_VIEW, asked.SerializeToString(), context)

    async def WatchMatch(self, request: pb.WatchMatchRequest, context: Any, caller: Identity) -> None:
        """Follows a match; frames are written to the context."""
        fields.match_id(request.match_id)
        checks.place("cursor", request.cursor)
        await self._watching.watch(request, context, caller.account_id)

    async def _seat(self, match_id: str, account_id: str) -> str:
        """The caller's handle. Raises MATCH_NOT_FOUND, NOT_YOUR_SEAT."""
        if not self._router.knows(match_id):
            fields.match_id(match_id)
        handle = await self._players.handle_for(match_id, account_id)
        if handle is None:
            await self._router.game_of(match_id)
            raise checks.no_seat()
        return handle

    async def _execute(self, command: engine.ExecuteRequest, context: Any) -> bytes:
        return await self._ask(command.match_id, wire.EXECUTE, command.SerializeToString(), context)

    async def _ask(self, match_id: str, kind: bytes, message: bytes, context: Any) -> bytes:
        payload = wire.payload(kind, message, trace.current())
        return await self._router.ask(match_id, payload, self._left_ms(context))

    def _left_ms(self, context: Any) -> int:
        """Milliseconds that the caller still waits. Without a deadline grpcio says None, pygrpc-native 290 years."""
        left_s = context.time_remaining()
        if left_s is None or left_s * 1000 > self._timeout_ms:
            return self._timeout_ms
        return max(1, int(left_s * 1000))
