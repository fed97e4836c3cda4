"""A client of a whole gateway."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import grpc
from hamle.account.v1.account_pb2 import SignInGuestRequest
from hamle.account.v1.account_pb2_grpc import AccountServiceStub
from hamle.lobby.v1.lobby_pb2 import CreateMatchRequest, JoinMatchRequest, ListGamesRequest
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceStub
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1.play_pb2 import GetViewRequest, ListChoicesRequest, SubmitMovesRequest, WatchMatchRequest
from hamle.play.v1.play_pb2_grpc import PlayServiceStub
from hamle.replay.v1.replay_pb2_grpc import ReplayServiceStub

Metadata = tuple[tuple[str, str], ...]


class Client:
    """Stubs over one channel, and a match of Coerceo between two guests."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.aio.insecure_channel(address)
        self.accounts = AccountServiceStub(self.channel)
        self.lobby = LobbyServiceStub(self.channel)
        self.play = PlayServiceStub(self.channel)
        self.replay = ReplayServiceStub(self.channel)
        self.match_id = ""
        self.who: list[Metadata] = []
        self.seq = 0

    async def guest(self, name: str) -> Metadata:
        answer = await self.accounts.SignInGuest(SignInGuestRequest(name=name))
        return (("authorization", f"Bearer {answer.token.token}"),)

    async def game_listed(self, game: str = "coerceo") -> None:
        who = await self.guest("lister")
        async with asyncio.timeout(20):
            while True:
                listed = await self.lobby.ListGames(ListGamesRequest(), metadata=who)
                if game in [info.game for info in listed.games]:
                    return
                await asyncio.sleep(0.05)

    async def begin(self) -> None:
        """Creates the match and starts it."""
        await self.game_listed()
        self.who = [await self.guest("Anna"), await self.guest("Berk")]
        request = CreateMatchRequest(request_id=uuid4().hex, game="coerceo")
        created = await self.lobby.CreateMatch(request, metadata=self.who[0])
        self.match_id = created.match.match_id
        join = JoinMatchRequest(request_id=uuid4().hex, match_id=self.match_id)
        joined = await self.lobby.JoinMatch(join, metadata=self.who[1])
        self.seq = joined.match.head.seq

    async def move(self, request_id: str | None = None) -> int:
        """Plays the first legal move of whoever may; gives its seq. Retries as a client does, with the same id."""
        request_id = request_id or uuid4().hex
        looking = GetViewRequest(match_id=self.match_id, known=Cursor(seq=self.seq))
        answer = await self._retry(self.play.GetView, looking, self.who[0])
        who = self.who[answer.view.may_act[0]]
        text, complete = "", False
        while not complete:
            asked = ListChoicesRequest(match_id=self.match_id, prefix=text, known=answer.view.cursor)
            choice = (await self._retry(self.play.ListChoices, asked, who)).choices[0]
            text, complete = choice.text, choice.complete
        request = SubmitMovesRequest(
            match_id=self.match_id, request_id=request_id, moves=[text], expected=Cursor(seq=answer.view.cursor.seq)
        )
        self.seq = (await self._retry(self.play.SubmitMoves, request, who)).cursor.seq
        return self.seq

    def watch(self, seq: int = 0) -> Any:
        request = WatchMatchRequest(match_id=self.match_id, cursor=Cursor(seq=seq))
        return self.play.WatchMatch(request, metadata=self.who[0])

    async def close(self) -> None:
        await self.channel.close(None)

    async def _retry(self, method: Any, request: Any, who: Metadata) -> Any:
        async with asyncio.timeout(30):
            while True:
                try:
                    return await method(request, metadata=who, timeout=10)
                except grpc.aio.AioRpcError as error:
                    if error.code() is not grpc.StatusCode.UNAVAILABLE:
                        raise
                    await asyncio.sleep(0.05)
