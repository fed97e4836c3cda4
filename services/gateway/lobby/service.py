"""LobbyService: lets callers in, and hands on to who knows."""

from __future__ import annotations

from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceServicer

from services.gateway.identity import PLAY, WATCH, Context, Doorkeeper
from services.gateway.lobby.catalogue import Catalogue
from services.gateway.lobby.lists import Lists
from services.gateway.lobby.seats import Seats
from services.gateway.pairing.pairing import Pairings


class Lobby(LobbyServiceServicer):
    """See the comments of hamle/lobby/v1/lobby.proto."""

    def __init__(
        self, doorkeeper: Doorkeeper, catalogue: Catalogue, seats: Seats, lists: Lists, pairings: Pairings
    ) -> None:
        self._door = doorkeeper
        self._catalogue = catalogue
        self._seats = seats
        self._lists = lists
        self._pairings = pairings

    async def ListGames(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        """The games that engines run now."""
        self._door.admit(context, WATCH)
        return pb.ListGamesResponse(games=self._catalogue.running())

    async def CreateMatch(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        """Creates a match."""
        return await self._seats.create(self._door.admit(context, PLAY), request)

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        """One match."""
        return await self._lists.one(self._door.admit(context, WATCH), request)

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        """A page of matches."""
        return await self._lists.page(self._door.admit(context, WATCH), request)

    async def JoinMatch(self, request: pb.JoinMatchRequest, context: Context) -> pb.JoinMatchResponse:
        """Takes a seat."""
        return await self._seats.join(self._door.admit(context, PLAY), request)

    async def LeaveMatch(self, request: pb.LeaveMatchRequest, context: Context) -> pb.LeaveMatchResponse:
        """Gives the seat back."""
        return await self._seats.leave(self._door.admit(context, PLAY), request)

    async def StartMatch(self, request: pb.StartMatchRequest, context: Context) -> pb.StartMatchResponse:
        """Starts a match."""
        return await self._seats.start(self._door.admit(context, PLAY), request)

    async def RequestPairing(self, request: pb.RequestPairingRequest, context: Context) -> pb.RequestPairingResponse:
        """Queues for an opponent."""
        return await self._pairings.request(self._door.admit(context, PLAY), request)

    async def AwaitPairing(self, request: pb.AwaitPairingRequest, context: Context) -> pb.AwaitPairingResponse:
        """Waits for the opponent."""
        return await self._pairings.wait(self._door.admit(context, PLAY), request)

    async def CancelPairing(self, request: pb.CancelPairingRequest, context: Context) -> pb.CancelPairingResponse:
        """Leaves the queue."""
        return await self._pairings.cancel(self._door.admit(context, PLAY), request)
