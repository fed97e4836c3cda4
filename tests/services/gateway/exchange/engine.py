"""A small engine that speaks the real protocol over real sockets; its matches are lists of moves in memory.

Several engines may share one `Table`, as replicas share the store. Knobs make it slow, deaf, repeating or gapping.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import grpc
from hamle.engine.v1 import engine_pb2_grpc
from hamle.engine.v1.engine_pb2 import (
    Answer,
    Call,
    CreateMatchRequest,
    CreateMatchResponse,
    DescribeGameRequest,
    DescribeGameResponse,
    ExchangeRequest,
    ExchangeResponse,
    ExecuteRequest,
    ExecuteResponse,
    ExportMatchRequest,
    ExportMatchResponse,
    ForkMatchRequest,
    ForkMatchResponse,
    GetMatchRequest,
    GetMatchResponse,
    GetStepRequest,
    GetStepResponse,
    GetViewResponse,
    ListChoicesResponse,
    ListEventsRequest,
    ListEventsResponse,
    Push,
    WatchMatchRequest,
    WatchMatchResponse,
)
from hamle.error.v1.error_pb2 import REASON_MATCH_NOT_FOUND
from hamle.event.v1.event_pb2 import Event, Moved
from hamle.match.v1.match_pb2 import (
    DURABILITY_FSYNCED,
    Choice,
    Cursor,
    Frame,
    GameInfo,
    Heartbeat,
    Joined,
    Match,
    Seat,
    Step,
    ToldEvent,
    View,
)
from hamle.match.v1.match_pb2 import Moved as MovedFrame

from core.errors import Refused
from core.rpc.status import ending


def hash_at(match_id: str, seq: int) -> bytes:
    return hashlib.blake2b(f"{match_id} {seq}".encode(), digest_size=16).digest()


class Table:
    """What replicas share: moves by match, answers by request id, and who is told of an append."""

    def __init__(self, *match_ids: str) -> None:
        self.moves: dict[str, list[str]] = {match_id: [] for match_id in match_ids}
        self.done: dict[tuple[str, str], int] = {}
        self.engines: list[Engine] = []

    def cursor(self, match_id: str, seq: int) -> Cursor:
        return Cursor(seq=seq, hash=hash_at(match_id, seq) if seq else b"")

    def execute(self, request: ExecuteRequest) -> int:
        key = (request.handle, request.request_id)
        if key not in self.done:
            moves = self.moves[request.match_id]
            for move in request.submit.moves or ["?"]:
                moves.append(move)
                for engine in self.engines:
                    engine.tell(request.match_id, len(moves))
            self.done[key] = len(moves)
        return self.done[key]

    def step(self, match_id: str, seq: int, view: bool) -> bytes:
        state = View(cursor=self.cursor(match_id, seq)) if view else None
        return framed(step=Step(told=self.told(match_id, seq), view=state))

    def told(self, match_id: str, seq: int) -> ToldEvent:
        moved = Moved(move=self.moves[match_id][seq - 1])
        return ToldEvent(cursor=self.cursor(match_id, seq), event=Event(moved=moved))


def framed(**what: Any) -> bytes:
    return WatchMatchResponse(frame=Frame(**what)).SerializeToString()


def _dump(answer: ExchangeResponse | bytes) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


async def until(condition: Callable[[], Any]) -> None:
    """Waits until the condition holds; a test that waits in vain fails."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


class Stream:
    """One `Exchange`: what it has to say, and the watches on it."""

    def __init__(self) -> None:
        self.out: asyncio.Queue[ExchangeResponse | bytes] = asyncio.Queue()
        self.watches: dict[int, str] = {}

    def push(self, ids: list[int], cursor: Cursor, frame: bytes) -> None:
        self.out.put_nowait(ExchangeResponse(pushes=[Push(ids=ids, cursor=cursor, frame=frame)]))


class Engine(engine_pb2_grpc.EngineServiceServicer):
    """`deaf`: answers nothing. `mangle`: changes the frames of live events, (match, seq, frame) -> [(seq, frame)]."""

    def __init__(self, table: Table, credential: str = "fleet") -> None:
        self.table = table
        self.credential = credential
        self.batches: list[int] = []
        self.calls: list[Call] = []
        self.forks: list[ForkMatchRequest] = []
        self.deaf = False
        self.mangle: Callable[[str, int, bytes], list[tuple[int, bytes]]] | None = None
        self.streams: set[Stream] = set()
        self._late: set[asyncio.Task[None]] = set()
        self.opened = 0
        self.asked = 0
        self.gate: asyncio.Event | None = None
        self.refuse: Refused | None = None
        self.port = 0
        self.anna = "h-anna"
        self._server: grpc.aio.Server | None = None
        table.engines.append(self)

    async def start(self, port: int = 0) -> Engine:
        self._server = grpc.aio.server()
        engine_pb2_grpc.add_EngineServiceServicer_to_server(self, self._server)
        # The stream's answers are serialised here, so that a test may send bytes that are none.
        exchange = grpc.stream_stream_rpc_method_handler(self.Exchange, ExchangeRequest.FromString, _dump)
        self._server.add_registered_method_handlers(  # type: ignore[attr-defined]
            "hamle.engine.v1.EngineService", {"Exchange": exchange}
        )
        self.port = self._server.add_insecure_port(f"127.0.0.1:{port}")
        await self._server.start()
        return self

    async def stop(self) -> None:
        if self in self.table.engines:
            self.table.engines.remove(self)
        if self._server is not None:
            server, self._server = self._server, None
            await server.stop(None)
        for late in self._late:
            late.cancel()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def watched(self) -> bool:
        return any(stream.watches for stream in self.streams)

    def tell(self, match_id: str, seq: int) -> None:
        frame = self.table.step(match_id, seq, True)
        told = self.mangle(match_id, seq, frame) if self.mangle else [(seq, frame)]
        for stream in self.streams:
            ids = [call_id for call_id, watched in stream.watches.items() if watched == match_id]
            for at, data in told if ids else ():
                stream.push(ids, self.table.cursor(match_id, at), data)

    def heartbeat(self) -> None:
        for stream in self.streams:
            if stream.watches:
                stream.push(list(stream.watches), Cursor(), framed(heartbeat=Heartbeat(at_ms=1)))

    def end_watches(self, why: Refused) -> None:
        for stream in self.streams:
            ids = list(stream.watches)
            stream.watches.clear()
            stream.out.put_nowait(ExchangeResponse(pushes=[Push(ids=ids, rejection=why.to_proto())]))

    def garble(self) -> None:
        for stream in self.streams:
            stream.out.put_nowait(b"\xff\xff\xff")

    def move_away(self) -> None:
        for stream in self.streams:
            stream.push(list(stream.watches), Cursor(), framed(moved=MovedFrame(reason="drain")))
            stream.watches.clear()

    async def _admit(self, context: Any) -> None:
        if dict(context.invocation_metadata()).get("authorization") != f"Bearer {self.credential}":
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the fleet's credential is missing")
        self.asked += 1
        if self.deaf:
            await asyncio.sleep(60)
        if self.gate is not None:
            await self.gate.wait()

    async def _find(self, match_id: str, context: Any) -> list[str]:
        await self._admit(context)
        refused = self.refuse
        if refused is None and match_id not in self.table.moves:
            refused = Refused(REASON_MATCH_NOT_FOUND, "there is no such match", {"match_id": match_id})
        if refused is not None:
            await context.abort(*ending(refused))
        return self.table.moves[match_id]

    def _match(self, match_id: str) -> Match:
        seats = [Seat(number=0, handle=self.anna), Seat(number=1)]
        head = self.table.cursor(match_id, len(self.table.moves[match_id]))
        return Match(match_id=match_id, game="coerceo", seats=seats, head=head)

    async def CreateMatch(self, request: CreateMatchRequest, context: Any) -> CreateMatchResponse:
        await self._admit(context)
        self.table.moves.setdefault(request.match_id, [])
        return CreateMatchResponse(match=self._match(request.match_id))

    async def ForkMatch(self, request: ForkMatchRequest, context: Any) -> ForkMatchResponse:
        moves = await self._find(request.parent, context)
        self.forks.append(request)
        self.table.moves.setdefault(request.match_id, moves[: request.seq])
        return ForkMatchResponse(match=self._match(request.match_id))

    async def GetMatch(self, request: GetMatchRequest, context: Any) -> GetMatchResponse:
        await self._find(request.match_id, context)
        return GetMatchResponse(match=self._match(request.match_id))

    async def GetStep(self, request: GetStepRequest, context: Any) -> GetStepResponse:
        moves = await self._find(request.match_id, context)
        frame = WatchMatchResponse.FromString(self.table.step(request.match_id, request.seq or len(moves), True))
        return GetStepResponse(step=frame.frame.step, head=self.table.cursor(request.match_id, len(moves)))

    async def ListEvents(self, request: ListEventsRequest, context: Any) -> ListEventsResponse:
        moves = await self._find(request.match_id, context)
        last = min(len(moves), request.after_seq + request.limit)
        return ListEventsResponse(
            events=[self.table.told(request.match_id, seq) for seq in range(request.after_seq + 1, last + 1)],
            head=self.table.cursor(request.match_id, len(moves)),
        )

    async def ExportMatch(self, request: ExportMatchRequest, context: Any) -> AsyncIterator[ExportMatchResponse]:
        moves = await self._find(request.match_id, context)
        for seq in range(1, len(moves) + 1):
            yield ExportMatchResponse(cursor=self.table.cursor(request.match_id, seq), event=b"e", redacted=True)

    async def DescribeGame(self, request: DescribeGameRequest, context: Any) -> DescribeGameResponse:
        if self.deaf:
            await asyncio.sleep(60)
        return DescribeGameResponse(info=GameInfo(game="coerceo"))

    async def Exchange(  # type: ignore[override]
        self, request_iterator: AsyncIterator[ExchangeRequest], context: Any
    ) -> AsyncIterator[ExchangeResponse | bytes]:
        if dict(context.invocation_metadata()).get("authorization") != f"Bearer {self.credential}":
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "the fleet's credential is missing")
        self.opened += 1
        stream = Stream()
        self.streams.add(stream)
        reading = asyncio.create_task(self._listen(request_iterator, stream))
        try:
            while True:
                getting = asyncio.ensure_future(stream.out.get())
                await asyncio.wait([getting, reading], return_when=asyncio.FIRST_COMPLETED)
                if not getting.done():
                    getting.cancel()
                    return
                yield getting.result()
        finally:
            self.streams.discard(stream)
            reading.cancel()

    async def _listen(self, requests: AsyncIterator[ExchangeRequest], stream: Stream) -> None:
        async for batch in requests:
            self.batches.append(len(batch.calls))
            self.calls.extend(batch.calls)
            if self.deaf:
                continue
            if self.gate is None:
                self._answer_all(batch, stream)
            else:
                late = asyncio.create_task(self._answer_later(self.gate, batch, stream))
                self._late.add(late)
                late.add_done_callback(self._late.discard)

    async def _answer_later(self, gate: asyncio.Event, batch: ExchangeRequest, stream: Stream) -> None:
        await gate.wait()
        self._answer_all(batch, stream)

    def _answer_all(self, batch: ExchangeRequest, stream: Stream) -> None:
        response = ExchangeResponse()
        for call in batch.calls:
            self._do(call, stream, response)
        stream.out.put_nowait(response)

    def _do(self, call: Call, stream: Stream, response: ExchangeResponse) -> None:
        kind = call.WhichOneof("call")
        if kind == "unwatch":
            stream.watches.pop(call.unwatch, None)
            return
        try:
            request = getattr(call, kind or "")
            if self.refuse is not None:
                raise self.refuse
            if request.match_id not in self.table.moves:
                raise Refused(REASON_MATCH_NOT_FOUND, "there is no such match", {"match_id": request.match_id})
        except Refused as refused:
            if kind == "watch":
                response.pushes.append(Push(ids=[call.id], rejection=refused.to_proto()))
            else:
                response.answers.append(Answer(id=call.id, rejection=refused.to_proto()))
            return
        if kind == "watch":
            self._watch(call.id, call.watch, stream, response)
        else:
            response.answers.append(Answer(id=call.id, response=self._answer(kind, request)))

    def _answer(self, kind: str | None, request: Any) -> bytes:
        if kind == "execute":
            seq = self.table.execute(request)
            return ExecuteResponse(
                cursor=self.table.cursor(request.match_id, seq), durability=DURABILITY_FSYNCED
            ).SerializeToString()
        head = self.table.cursor(request.match_id, len(self.table.moves[request.match_id]))
        if kind == "get_view":
            return GetViewResponse(view=View(cursor=head), decision_seq=head.seq).SerializeToString()
        return ListChoicesResponse(choices=[Choice(text=f"{request.prefix}a1")], cursor=head).SerializeToString()

    def _watch(self, call_id: int, request: WatchMatchRequest, stream: Stream, response: ExchangeResponse) -> None:
        match_id = request.match_id
        head = len(self.table.moves[match_id])
        joined = Joined(match=self._match(match_id))
        response.pushes.append(Push(ids=[call_id], cursor=request.cursor, frame=framed(joined=joined)))
        for seq in range(request.cursor.seq + 1, head + 1):
            frame = self.table.step(match_id, seq, False)
            response.pushes.append(Push(ids=[call_id], cursor=self.table.cursor(match_id, seq), frame=frame))
        cursor = self.table.cursor(match_id, head)
        if not request.omit_views:
            response.pushes.append(Push(ids=[call_id], cursor=cursor, frame=framed(view=View(cursor=cursor))))
        stream.watches[call_id] = match_id


async def engine_for(table: Table, port: int = 0) -> Engine:
    """A running engine; the methods that it lacks answer UNIMPLEMENTED."""
    return await Engine(table).start(port)  # type: ignore[abstract]
