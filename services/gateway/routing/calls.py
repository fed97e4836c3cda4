"""The engines' plain methods: for what is rarer than a move, with the same care when an engine dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import grpc
from grpc.aio import EOF  # type: ignore[attr-defined]
from hamle.engine.v1.engine_pb2 import (
    CreateMatchRequest,
    CreateMatchResponse,
    ExecuteRequest,
    ExecuteResponse,
    ExportMatchRequest,
    ForkMatchRequest,
    ForkMatchResponse,
    GetMatchRequest,
    GetMatchResponse,
    GetStepRequest,
    ListEventsRequest,
    ListEventsResponse,
)
from hamle.error.v1.error_pb2 import REASON_DEADLINE_EXPIRED
from hamle.match.v1.match_pb2 import Cursor, GameInfo, Match

from core.errors import Refused
from core.fleet.addressee import ANOTHER
from core.rpc.client import refusal_of
from core.telemetry import trace
from services.gateway.exchange import wire
from services.gateway.exchange.lost import ConnectionLost
from services.gateway.routing.directory import Directory, nobody_answers
from services.gateway.routing.games import MatchGames
from services.gateway.routing.replica import Replica
from services.gateway.routing.router import Router, unavailable

_GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNIMPLEMENTED)
"""Nobody answers at the address, or somebody who is no engine."""
_BROKEN = (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL)
"""What a stream that breaks may end with; an engine that answers says why it refuses, so it is none of its own."""


class EngineCalls:
    """What lobby, pairing and replays ask of engines.

    All methods raise `Refused`: MATCH_NOT_FOUND, STORE_DOWN, ENGINE_UNAVAILABLE, RULES_UNAVAILABLE, OVERLOADED,
    DEADLINE_EXPIRED, and what the engine refuses with.
    """

    def __init__(self, router: Router, directory: Directory, games: MatchGames, *, timeout_ms: int = 10_000) -> None:
        self._router = router
        self._directory = directory
        self._games = games
        self._timeout_ms = timeout_ms

    def list_games(self) -> list[GameInfo]:
        """The games that engines run now, by name."""
        return self._directory.games()

    def away(self, game: str) -> Refused | None:
        """ENGINE_UNAVAILABLE when engines of the game ran a moment ago; None: nobody has heard of it."""
        return nobody_answers(game) if self._directory.expects(game) else None

    async def create_match(self, game: str, request: CreateMatchRequest) -> CreateMatchResponse:
        """Creates a match of the game, under the id in the request. Raises also GAME_UNKNOWN."""
        data = request.SerializeToString()
        answer = await self._router.call(
            request.match_id,
            self._timeout_ms,
            lambda replica, left_ms: unary(replica, "CreateMatch", data, left_ms),
            game=game,
        )
        self._games.tell(request.match_id, game)
        return CreateMatchResponse.FromString(answer)

    async def fork_match(self, request: ForkMatchRequest) -> ForkMatchResponse:
        """Creates a match from a copy of `request.parent`."""
        answer = await self._ask(request.parent, "ForkMatch", request.SerializeToString())
        return ForkMatchResponse.FromString(answer)

    async def execute(self, request: ExecuteRequest) -> ExecuteResponse:
        """Does a command, over the batched stream."""
        payload = wire.payload(wire.EXECUTE, request.SerializeToString(), trace.current())
        return ExecuteResponse.FromString(await self._router.ask(request.match_id, payload, self._timeout_ms))

    async def get_match(self, match_id: str, known: Cursor | None = None) -> Match:
        """The match as lists show it; `name` and `yours` of its seats are still to be filled in.

        At least as new as what is `known`: the engine may be another one than that which said so. Raises then also
        LOG_LOST_TAIL and HASH_MISMATCH.
        """
        data = GetMatchRequest(match_id=match_id, known=known).SerializeToString()
        answer = await self._ask(match_id, "GetMatch", data)
        return GetMatchResponse.FromString(answer).match

    async def get_step(self, match_id: str, handle: str, seq: int) -> bytes:
        """The bytes of a GetStepResponse."""
        request = GetStepRequest(match_id=match_id, handle=handle, seq=seq)
        return await self._ask(match_id, "GetStep", request.SerializeToString())

    async def list_events(self, match_id: str, handle: str, after_seq: int, limit: int) -> ListEventsResponse:
        """At most `limit` events after a seq."""
        request = ListEventsRequest(match_id=match_id, handle=handle, after_seq=after_seq, limit=limit)
        return ListEventsResponse.FromString(await self._ask(match_id, "ListEvents", request.SerializeToString()))

    async def export_match(self, match_id: str, handle: str) -> AsyncIterator[bytes]:
        """The bytes of ExportMatchResponses. An engine lost in the middle ends it with ENGINE_UNAVAILABLE."""
        data = ExportMatchRequest(match_id=match_id, handle=handle).SerializeToString()

        async def begin(replica: Replica, left_ms: int) -> tuple[Replica, Any, bytes]:
            call = replica.stream("ExportMatch")(data, metadata=_metadata(replica))
            return replica, call, await watched(replica, call.read(), call)

        replica, call, record = await self._router.call(match_id, self._timeout_ms, begin)
        try:
            while record is not EOF:
                yield record
                record = await watched(replica, call.read(), call)
        except ConnectionLost:
            raise unavailable() from None
        finally:
            call.cancel()

    async def _ask(self, match_id: str, method: str, data: bytes) -> bytes:
        return await self._router.call(
            match_id, self._timeout_ms, lambda replica, left_ms: unary(replica, method, data, left_ms)
        )


async def unary(replica: Replica, method: str, data: bytes, left_ms: int) -> bytes:
    """The answer of one replica. Raises `ConnectionLost` when it is gone or stands still, and `Refused`."""
    call = replica.unary(method)(data, metadata=_metadata(replica), timeout=left_ms / 1000)
    return await watched(replica, call, call)


def _metadata(replica: Replica) -> tuple[tuple[str, str], ...]:
    trace_id = trace.current()
    return (*replica.metadata, (trace.HEADER, trace.header(trace_id))) if trace_id else replica.metadata


async def watched(replica: Replica, answer: Awaitable[Any], call: Any) -> bytes:
    """The answer; when it takes long, the replica is asked whether it runs at all."""
    waiting = asyncio.ensure_future(answer)
    try:
        while True:
            done, _ = await asyncio.wait([waiting], timeout=replica.terms.stall_s)
            if waiting.cancelled():
                # Its channel was closed: the engine's announcement has run out.
                raise ConnectionLost(replica.id, "the gateway has let go of it")
            if done:
                result: bytes = waiting.result()
                return result
            if not await replica.alive() and not waiting.done():
                replica.distrust("it has stopped answering")
                raise ConnectionLost(replica.id, "it has stopped answering")
    except grpc.aio.AioRpcError as error:
        raise _meaning(replica, error) from error
    finally:
        if not waiting.done():
            call.cancel()
            waiting.cancel()


def _meaning(replica: Replica, error: grpc.aio.AioRpcError) -> Exception:
    refused = refusal_of(error)
    another = refused is not None and refused.reason in ANOTHER
    if refused is not None and not another:
        return refused
    if another or error.code() in _GONE:
        replica.distrust(f"{error.code().name}: {error.details()}")
    if another or error.code() in (*_GONE, *_BROKEN):
        return ConnectionLost(replica.id, error.code().name)
    if error.code() is grpc.StatusCode.DEADLINE_EXCEEDED:
        return Refused(
            REASON_DEADLINE_EXPIRED,
            "the engine has not answered in time; whether it was done is unknown: retry with the same request id",
        )
    return error
