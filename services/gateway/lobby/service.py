"""LobbyService: hands on to who knows."""

from __future__ import annotations

from hamle.lobby.v1 import lobby_pb2 as pb

from services.gateway.identity import Context, Identity
from services.gateway.lobby.catalogue import Catalogue
from services.gateway.lobby.lists import Lists
from services.gateway.lobby.seats import Seats
from services.gateway.pairing.pairing import Pairings


class Lobby:
    """See the comments of hamle/lobby/v1/lobby.proto."""

    def __init__(self, catalogue: Catalogue, seats: Seats, lists: Lists, pairings: Pairings) -> None:
        self._catalogue = catalogue
        self._seats = seats
        self._lists = lists
        self._pairings = pairings

    async def ListGames(self, request: pb.ListGamesRequest, context: Context, caller: Identity) -> pb.ListGamesResponse:
        """The games that engines run now."""
        return pb.ListGamesResponse(games=self._catalogue.running())

    async def CreateMatch(
        self, request: pb.CreateMatchRequest, context: Context, caller: Identity
    ) -> pb.CreateMatchResponse:
        """Creates a match."""
        return await self._seats.create(caller, request)

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context, caller: Identity) -> pb.GetMatchResponse:
        """One match."""
        return await self._lists.one(caller, request)

    async def ListMatches(
        self, request: pb.ListMatchesRequest, context: Context, caller: Identity
    ) -> pb.ListMatchesResponse:
        """A page of matches."""
        return await self._lists.page(caller, request)

    async def JoinMatch(self, request: pb.JoinMatchRequest, context: Context, caller: Identity) -> pb.JoinMatchResponse:
        """Takes a seat."""
        return await self._seats.join(caller, request)

    async def LeaveMatch(
        self, request: pb.LeaveMatchRequest, context: Context, caller: Identity
    ) -> pb.LeaveMatchResponse:
        """Gives the seat back."""
        return await self._seats.leave(caller, request)

    async def StartMatch(
        self, request: pb.StartMatchRequest, context: Context, caller: Identity
    ) -> pb.StartMatchResponse:
        """Starts a match."""
        return await self._seats.start(caller, request)

    async def RequestPairing(
        self, request: pb.RequestPairingRequest, context: Context, caller: Identity
    ) -> pb.RequestPairingResponse:
        """Queues for an opponent."""
        return await self._pairings.request(caller, request)

    async def AwaitPairing(
        self, request: pb.AwaitPairingRequest, context: Context, caller: Identity
    ) -> pb.AwaitPairingResponse:
        """Waits for the opponent."""
        return await self._pairings.wait(caller, request)

    async def CancelPairing(
        self, request: pb.CancelPairingRequest, context: Context, caller: Identity
    ) -> pb.CancelPairingResponse:
        """Leaves the queue."""
        return await self._pairings.cancel(caller, request)
