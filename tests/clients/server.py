"""A small server of the real API over a real socket, which fails in the ways a test asks for."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo  # type: ignore[import-untyped]
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped]
from grpc_status import rpc_status
from hamle.account.v1 import account_pb2, account_pb2_grpc
from hamle.coerceo.v1 import coerceo_pb2
from hamle.event.v1 import event_pb2
from hamle.lobby.v1 import lobby_pb2, lobby_pb2_grpc
from hamle.match.v1 import match_pb2
from hamle.play.v1 import play_pb2, play_pb2_grpc
from hamle.replay.v1 import replay_pb2, replay_pb2_grpc

Context = Any  # the stubs of grpc lack abort_with_status
Fault = Callable[[Context], Awaitable[None]]
MATCH = "05test"
ACTIVE = match_pb2.MATCH_STATUS_ACTIVE


def fail(code: grpc.StatusCode, message: str = "lost") -> Fault:
    """A bare gRPC status, as a proxy or a dying server gives it."""

    async def act(context: Context) -> None:
        await context.abort(code, message)

    return act


def refuse(code: grpc.StatusCode, reason: str, *, retry_after_ms: int = 0, **metadata: str) -> Fault:
    """A refusal as Hamle gives it."""

    async def act(context: Context) -> None:
        status = Status(code=code.value[0], message=f"refused: {reason}")
        packed = Packed()
        packed.Pack(ErrorInfo(reason=reason, domain="hamle", metadata=metadata))
        status.details.append(packed)
        if retry_after_ms:
            delay = Packed()
            seconds, rest_ms = divmod(retry_after_ms, 1000)
            delay.Pack(RetryInfo(retry_delay=Duration(seconds=seconds, nanos=rest_ms * 1_000_000)))
            status.details.append(delay)
        await context.abort_with_status(rpc_status.to_status(status))

    return act


def hash_of(seq: int, history: str = "") -> bytes:
    return hashlib.blake2b(f"{history}{seq}".encode(), digest_size=16).digest()


def cursor_of(seq: int, history: str = "") -> match_pb2.Cursor:
    return match_pb2.Cursor(seq=seq, hash=hash_of(seq, history))


def view_of(seq: int, *, awaited: tuple[int, ...] = (0,), status: Any = ACTIVE) -> match_pb2.View:
    game = Packed()
    game.Pack(coerceo_pb2.View(turn=awaited[0] if awaited else 0, ply=seq, stock=[0, 0]))
    return match_pb2.View(cursor=cursor_of(seq), game=game, awaited=awaited, may_act=awaited, status=status)


def step_of(seq: int, *, view: bool = False, history: str = "", **body: Any) -> match_pb2.Frame:
    event = event_pb2.Event(**(body or {"moved": event_pb2.Moved(seat=seq % 2, move=f"m{seq}")}))
    told = match_pb2.ToldEvent(cursor=cursor_of(seq, history), event=event, facts=[match_pb2.Fact(kind="moved")])
    return match_pb2.Frame(step=match_pb2.Step(told=told, view=view_of(seq) if view else None))


def joined_at(seq: int, status: Any = ACTIVE) -> match_pb2.Frame:
    return match_pb2.Frame(joined=match_pb2.Joined(match=info_at(seq, status, yours=False)))


def info_at(seq: int, status: Any = ACTIVE, *, yours: bool = True) -> match_pb2.Match:
    return match_pb2.Match(
        match_id=MATCH,
        game="coerceo",
        rules="coerceo/1",
        status=status,
        head=cursor_of(seq),
        seats=[match_pb2.Seat(number=0, handle="me", yours=yours), match_pb2.Seat(number=1, handle="you")],
    )


class ScriptedServer(
    account_pb2_grpc.AccountServiceServicer,
    lobby_pb2_grpc.LobbyServiceServicer,
    play_pb2_grpc.PlayServiceServicer,
    replay_pb2_grpc.ReplayServiceServicer,
):
    """Answers plainly; `faults[method]` are used up first, `streams` says what each watch tells, one after another.

    `done` holds each request id with the seq it led to, `tickets` with its ticket: a repeat is answered from them.
    """

    def __init__(self) -> None:
        self.games = [match_pb2.GameInfo(game="coerceo", title="Coerceo", min_seats=2, max_seats=2)]
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.calls: list[tuple[str, Any]] = []
        self.peers: list[str] = []
        self.tokens: list[str] = []
        self.done: dict[str, int] = {}
        self.lose_answers = 0
        self.head = 1
        self.streams: deque[Callable[[play_pb2.WatchMatchRequest, Context], AsyncIterator[match_pb2.Frame]]] = deque()
        self.token_life_ms = 3_600_000
        self.tickets: dict[str, str] = {}
        self._noted = asyncio.Event()
        self.running: grpc.aio.Server | None = None
        self.address = ""

    async def stop(self) -> None:
        if self.running is not None:
            await self.running.stop(None)

    def requests(self, method: str) -> list[Any]:
        return [request for name, request in self.calls if name == method]

    async def until(self, method: str, count: int = 1) -> None:
        """Waits until the method has been called so often."""
        while len(self.requests(method)) < count:
            self._noted.clear()
            await self._noted.wait()

    async def note(self, method: str, request: Any, context: Context) -> None:
        self.calls.append((method, request))
        self._noted.set()
        self.peers.append(context.peer())
        metadata = dict(context.invocation_metadata() or ())
        self.tokens.append(str(metadata.get("authorization", "")))
        if self.faults[method]:
            await self.faults[method].popleft()(context)

    def _token(self, text: str) -> account_pb2.Token:
        return account_pb2.Token(token=text, expires_at_ms=int(time.time() * 1000) + self.token_life_ms)

    async def SignInGuest(self, request: Any, context: Any) -> account_pb2.SignInGuestResponse:
        await self.note("SignInGuest", request, context)
        account = account_pb2.Account(account_id="a1", name=request.name or "guest")
        return account_pb2.SignInGuestResponse(account=account, token=self._token("first"))

    async def RefreshToken(self, request: Any, context: Any) -> account_pb2.RefreshTokenResponse:
        await self.note("RefreshToken", request, context)
        count = len(self.requests("RefreshToken"))
        return account_pb2.RefreshTokenResponse(token=self._token(f"refreshed-{count}"))

    async def RevokeTokens(self, request: Any, context: Any) -> account_pb2.RevokeTokensResponse:
        await self.note("RevokeTokens", request, context)
        return account_pb2.RevokeTokensResponse()

    async def GetAccount(self, request: Any, context: Any) -> account_pb2.GetAccountResponse:
        await self.note("GetAccount", request, context)
        return account_pb2.GetAccountResponse(account=account_pb2.Account(account_id="a1", name="guest"))

    async def ListGames(self, request: Any, context: Any) -> lobby_pb2.ListGamesResponse:
        await self.note("ListGames", request, context)
        return lobby_pb2.ListGamesResponse(games=self.games)

    async def CreateMatch(self, request: Any, context: Any) -> lobby_pb2.CreateMatchResponse:
        await self.note("CreateMatch", request, context)
        return lobby_pb2.CreateMatchResponse(match=info_at(self.head), invite_code="INV")

    async def GetMatch(self, request: Any, context: Any) -> lobby_pb2.GetMatchResponse:
        await self.note("GetMatch", request, context)
        return lobby_pb2.GetMatchResponse(match=info_at(self.head))

    async def ListMatches(self, request: Any, context: Any) -> lobby_pb2.ListMatchesResponse:
        await self.note("ListMatches", request, context)
        page = int(request.page_token or 0)
        following = str(page + 1) if page < 2 else ""
        return lobby_pb2.ListMatchesResponse(matches=[info_at(page + 1)], next_page_token=following)

    async def JoinMatch(self, request: Any, context: Any) -> lobby_pb2.JoinMatchResponse:
        await self.note("JoinMatch", request, context)
        return lobby_pb2.JoinMatchResponse(match=info_at(self.head), seat=request.seat)

    async def LeaveMatch(self, request: Any, context: Any) -> lobby_pb2.LeaveMatchResponse:
        await self.note("LeaveMatch", request, context)
        return lobby_pb2.LeaveMatchResponse(match=info_at(self.head, match_pb2.MATCH_STATUS_CANCELLED))

    async def StartMatch(self, request: Any, context: Any) -> lobby_pb2.StartMatchResponse:
        await self.note("StartMatch", request, context)
        return lobby_pb2.StartMatchResponse(match=info_at(self.head))

    async def RequestPairing(self, request: Any, context: Any) -> lobby_pb2.RequestPairingResponse:
        ticket = self.tickets.setdefault(request.request_id, f"t{len(self.tickets) + 1}")
        await self.note("RequestPairing", request, context)
        return lobby_pb2.RequestPairingResponse(ticket=ticket)

    async def AwaitPairing(self, request: Any, context: Any) -> lobby_pb2.AwaitPairingResponse:
        await self.note("AwaitPairing", request, context)
        return lobby_pb2.AwaitPairingResponse(match=info_at(self.head))

    async def CancelPairing(self, request: Any, context: Any) -> lobby_pb2.CancelPairingResponse:
        await self.note("CancelPairing", request, context)
        return lobby_pb2.CancelPairingResponse()

    async def SubmitMoves(self, request: Any, context: Any) -> play_pb2.SubmitMovesResponse:
        await self.note("SubmitMoves", request, context)
        if request.request_id not in self.done:
            self.head += len(request.moves)
            self.done[request.request_id] = self.head
        if self.lose_answers:
            self.lose_answers -= 1
            await context.abort(grpc.StatusCode.UNAVAILABLE, "the answer is lost")
        cursor = cursor_of(self.done[request.request_id])
        return play_pb2.SubmitMovesResponse(cursor=cursor, durability=match_pb2.DURABILITY_FSYNCED)

    async def UndoMoves(self, request: Any, context: Any) -> play_pb2.UndoMovesResponse:
        await self.note("UndoMoves", request, context)
        self.head += 1
        return play_pb2.UndoMovesResponse(cursor=cursor_of(self.head), durability=match_pb2.DURABILITY_WRITTEN)

    async def Resign(self, request: Any, context: Any) -> play_pb2.ResignResponse:
        await self.note("Resign", request, context)
        self.head += 3
        return play_pb2.ResignResponse(cursor=cursor_of(self.head), durability=match_pb2.DURABILITY_WRITTEN)

    async def ListChoices(self, request: Any, context: Any) -> play_pb2.ListChoicesResponse:
        await self.note("ListChoices", request, context)
        choices = [match_pb2.Choice(text=f"{request.prefix}a", complete=True)]
        return play_pb2.ListChoicesResponse(choices=choices, cursor=cursor_of(self.head))

    async def GetView(self, request: Any, context: Any) -> play_pb2.GetViewResponse:
        await self.note("GetView", request, context)
        return play_pb2.GetViewResponse(view=view_of(self.head), seat=0, decision_seq=self.head)

    async def WatchMatch(self, request: Any, context: Any) -> AsyncIterator[play_pb2.WatchMatchResponse]:
        await self.note("WatchMatch", request, context)
        async for frame in self.streams.popleft()(request, context):
            yield play_pb2.WatchMatchResponse(frame=frame)

    async def ForkMatch(self, request: Any, context: Any) -> replay_pb2.ForkMatchResponse:
        await self.note("ForkMatch", request, context)
        return replay_pb2.ForkMatchResponse(match=info_at(request.seq + 1), invite_code="FORK")

    async def GetStep(self, request: Any, context: Any) -> replay_pb2.GetStepResponse:
        await self.note("GetStep", request, context)
        seq = request.seq or self.head
        return replay_pb2.GetStepResponse(step=step_of(seq, view=True).step, head=cursor_of(self.head))

    async def ListEvents(self, request: Any, context: Any) -> replay_pb2.ListEventsResponse:
        await self.note("ListEvents", request, context)
        begin = int(request.page_token or request.after_seq)
        last = min(begin + 2, self.head)
        events = [step_of(seq).step.told for seq in range(begin + 1, last + 1)]
        return replay_pb2.ListEventsResponse(events=events, next_page_token=str(last) if last < self.head else "")

    async def ExportMatch(self, request: Any, context: Any) -> AsyncIterator[replay_pb2.ExportMatchResponse]:
        self.calls.append(("ExportMatch", request))
        for seq in range(1, self.head + 1):
            if seq == 3 and self.faults["ExportMatch"]:
                await self.faults["ExportMatch"].popleft()(context)
            yield replay_pb2.ExportMatchResponse(cursor=cursor_of(seq), event=f"e{seq}".encode())


def tell(*frames: match_pb2.Frame, then: Fault | None = None) -> Callable[..., AsyncIterator[match_pb2.Frame]]:
    """A watch that tells these frames, then ends, or does `then`."""

    async def stream(request: play_pb2.WatchMatchRequest, context: Context) -> AsyncIterator[match_pb2.Frame]:
        for frame in frames:
            yield frame
        if then is not None:
            await then(context)

    return stream


async def hang(context: Context) -> None:
    """Says nothing more."""
    await asyncio.Event().wait()


@asynccontextmanager
async def serve(
    servicer: ScriptedServer, port: int = 0, credentials: grpc.ServerCredentials | None = None
) -> AsyncIterator[ScriptedServer]:
    server = grpc.aio.server()
    account_pb2_grpc.add_AccountServiceServicer_to_server(servicer, server)
    lobby_pb2_grpc.add_LobbyServiceServicer_to_server(servicer, server)
    play_pb2_grpc.add_PlayServiceServicer_to_server(servicer, server)
    replay_pb2_grpc.add_ReplayServiceServicer_to_server(servicer, server)
    listen = f"127.0.0.1:{port}"
    bound = server.add_secure_port(listen, credentials) if credentials else server.add_insecure_port(listen)
    await server.start()
    servicer.address = f"127.0.0.1:{bound}"
    servicer.running = server
    try:
        yield servicer
    finally:
        await servicer.stop()
