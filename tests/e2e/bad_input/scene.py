"""A match on one gateway: Ann and Bob sit, Eve does not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import grpc
from hamle.account.v1.account_pb2_grpc import AccountServiceStub
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE, VISIBILITY_PUBLIC
from hamle.lobby.v1 import lobby_pb2 as lobby
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1 import play_pb2 as play
from hamle.play.v1.play_pb2_grpc import PlayServiceStub
from hamle.replay.v1 import replay_pb2 as replay
from hamle.replay.v1.replay_pb2_grpc import ReplayServiceStub

from tests.e2e.bad_input.people import Guest, guest
from tests.e2e.bad_input.reference import Calls
from tests.e2e.bad_input.stack import OPTIONS, Stack
from tests.e2e.bad_input.stored import Stored, stored

WAITING, PRIVATE, FULL, PLAYING, FINISHED, CARDS = "waiting", "private", "full", "playing", "finished", "cards"
CALL_S = 60.0


class Standing(NamedTuple):
    """All that a refused call must leave as it was."""

    stored: Stored
    match: bytes
    views: Sequence[bytes]


class Scene:
    """The match, and how to speak of it. `kind` of match: one of the words above."""

    def __init__(self, stack: Stack, channel: grpc.aio.Channel, kind: str) -> None:
        self.stack = stack
        self.channel = channel
        self.kind = kind
        self.accounts = AccountServiceStub(channel)
        self.lobby = LobbyServiceStub(channel)
        self.play = PlayServiceStub(channel)
        self.replay = ReplayServiceStub(channel)
        self.ann: Guest
        self.bob: Guest
        self.eve: Guest
        self.match_id = ""
        self.invite_code = ""
        self.kept: Any = None

    async def raw(self, method: str, data: bytes, who: Guest) -> bytes:
        """Bytes to a method, `hamle.play.v1.PlayService/GetView`, and its answer's."""
        call: Any = self.channel.unary_unary(f"/{method}", None, None)
        return bytes(await call(data, metadata=who.metadata, timeout=CALL_S))

    async def create(self, who: Guest, request_id: str = "", **fields: Any) -> Any:
        request = lobby.CreateMatchRequest(**{"request_id": request_id or new_id(), "game": "coerceo", **fields})
        return await self.lobby.CreateMatch(request, metadata=who.metadata, timeout=CALL_S)

    async def join(self, who: Guest, request_id: str = "", **fields: Any) -> Any:
        request = lobby.JoinMatchRequest(**{"request_id": request_id or new_id(), "match_id": self.match_id, **fields})
        return await self.lobby.JoinMatch(request, metadata=who.metadata, timeout=CALL_S)

    async def submit(self, who: Guest, *moves: str, request_id: str | None = None, **expected: Any) -> Any:
        """Moves of who has seen the head, or `seq` and `hash`."""
        expected = expected or {"seq": await self.head()}
        request = play.SubmitMovesRequest(
            match_id=self.match_id,
            request_id=new_id() if request_id is None else request_id,
            expected=Cursor(**expected),
            moves=moves,
        )
        return await self.play.SubmitMoves(request, metadata=who.metadata, timeout=CALL_S)

    async def view(self, who: Guest) -> Any:
        request = play.GetViewRequest(match_id=self.match_id)
        return await self.play.GetView(request, metadata=who.metadata, timeout=CALL_S)

    async def match(self) -> Any:
        request = lobby.GetMatchRequest(match_id=self.match_id)
        return (await self.lobby.GetMatch(request, metadata=self.ann.metadata, timeout=CALL_S)).match

    async def head(self) -> int:
        return int((await self.match()).head.seq)

    async def watch(self, who: Guest, **cursor: Any) -> Any:
        """The first frame."""
        request = play.WatchMatchRequest(match_id=self.match_id, cursor=Cursor(**cursor))
        call: Any = self.play.WatchMatch(request, metadata=who.metadata, timeout=CALL_S)
        try:
            return await call.read()
        finally:
            call.cancel()

    async def fork(self, who: Guest, **fields: Any) -> Any:
        request = replay.ForkMatchRequest(**{"request_id": new_id(), "match_id": self.match_id, **fields})
        return await self.replay.ForkMatch(request, metadata=who.metadata, timeout=CALL_S)

    async def move_of(self, who: Guest) -> str:
        """A legal move of who may act."""
        text, complete = "", False
        while not complete:
            request = play.ListChoicesRequest(match_id=self.match_id, prefix=text)
            answer = await self.play.ListChoices(request, metadata=who.metadata, timeout=CALL_S)
            text, complete = answer.choices[0].text, answer.choices[0].complete
        return text

    async def on_turn(self) -> Guest:
        return (self.ann, self.bob)[(await self.view(self.ann)).view.may_act[0]]

    async def move(self) -> int:
        """Plays a legal move of whoever may; gives its seq."""
        who = await self.on_turn()
        return int((await self.submit(who, await self.move_of(who))).cursor.seq)

    async def standing(self) -> Standing:
        match = await self.match()
        shown = self.kind not in (WAITING, PRIVATE, FULL)
        views = [await self.view(who) for who in (self.ann, self.bob, self.eve) if shown]
        return Standing(
            stored(self.stack.store, self.match_id),
            match.SerializeToString(deterministic=True),
            [view.SerializeToString(deterministic=True) for view in views],
        )

    async def go_on(self) -> None:
        """Does the next good thing, to see that all is well."""
        head = await self.head()
        if self.kind in (WAITING, PRIVATE):
            joined = await self.join(self.bob, invite_code=self.invite_code)
            assert joined.match.head.seq > head
        elif self.kind == FULL:
            request = lobby.StartMatchRequest(request_id=new_id(), match_id=self.match_id)
            await self.lobby.StartMatch(request, metadata=self.ann.metadata, timeout=CALL_S)
            assert await self.head() == head + 1
        elif self.kind in (PLAYING, CARDS):
            assert await self.move() == head + 1
        else:
            step = replay.GetStepRequest(match_id=self.match_id, seq=head)
            answer = await self.replay.GetStep(step, metadata=self.eve.metadata, timeout=CALL_S)
            assert answer.step.told.cursor.seq == head


def new_id() -> str:
    return uuid4().hex


@asynccontextmanager
async def scene(stack: Stack, gateway: str, kind: str) -> AsyncIterator[Scene]:
    """A fresh match of that kind on that gateway. Fails at its end when a call was refused as no comment tells."""
    calls = Calls()
    address = stack.gateways[gateway].address
    async with grpc.aio.insecure_channel(address, options=OPTIONS, interceptors=calls.interceptors) as channel:
        there = Scene(stack, channel, kind)
        there.ann, there.bob, there.eve = [await guest(channel, name) for name in ("Ann", "Bob", "Eve")]
        game = "battleline" if kind == CARDS else "coerceo"
        visibility = VISIBILITY_PRIVATE if kind == PRIVATE else VISIBILITY_PUBLIC
        created = await there.create(there.ann, game=game, visibility=visibility, manual_start=kind == FULL)
        there.match_id, there.invite_code = created.match.match_id, created.invite_code
        if kind in (FULL, PLAYING, FINISHED, CARDS):
            await there.join(there.bob)
        if kind == FINISHED:
            await there.move()
            request = play.ResignRequest(match_id=there.match_id, request_id=new_id())
            await there.play.Resign(request, metadata=there.bob.metadata, timeout=CALL_S)
        yield there
        await calls.require_listed()
