"""How players come to their seats: a match is created, joined, left, started.

Everywhere the handle is bound before the engine is asked, and the engine alone decides. So a call that is repeated
after any process died finds its handle, and the engine its request id.
"""

from __future__ import annotations

from hamle.engine.v1.engine_pb2 import CreateMatchRequest, ExecuteRequest, LeaveSeat, Start, TakeSeat
from hamle.error.v1.error_pb2 import (
    REASON_INVITE_INVALID,
    REASON_MATCH_FINISHED,
    REASON_MATCH_FULL,
    REASON_MATCH_STARTED,
    REASON_NOT_YOUR_SEAT,
    REASON_SEAT_TAKEN,
)
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import MATCH_STATUS_ACTIVE, MATCH_STATUS_WAITING, Match

from core.errors import Refused
from core.log.keys import match_id_for
from services.gateway import fields
from services.gateway.identity import Identity
from services.gateway.lobby.catalogue import Catalogue, full_options, seat_count
from services.gateway.lobby.listing import Listing
from services.gateway.lobby.ports import Engines
from services.gateway.players.players import Players


class Seats:
    """What LobbyService does about seats, for callers who have been let in."""

    def __init__(self, engines: Engines, catalogue: Catalogue, players: Players, listing: Listing) -> None:
        self._engines = engines
        self._catalogue = catalogue
        self._players = players
        self._listing = listing

    async def create(self, who: Identity, request: pb.CreateMatchRequest) -> pb.CreateMatchResponse:
        """Creates a match with the caller in a seat."""
        command = self._creation(who, request)
        command.handle = await self._players.bind(command.match_id, request.game, who.account_id, who.name)
        answer = await self._engines.create_match(request.game, command)
        match = await self._told(answer.match, who)
        code = await self._players.invite_code(match.match_id) if match.visibility == VISIBILITY_PRIVATE else ""
        return pb.CreateMatchResponse(match=match, invite_code=code, durability=answer.durability)

    def _creation(self, who: Identity, request: pb.CreateMatchRequest) -> CreateMatchRequest:
        """What the engine is asked for: it follows from the caller's request alone, so that a repeat is the same."""
        request_id = fields.request_id(request.request_id)
        info = self._catalogue.find(request.game)
        full_options(info, request.options)
        seats = seat_count(info, request.seats)
        if request.HasField("seat") and request.seat >= seats:
            raise fields.wrong("seat", f"0 to {seats - 1}, or none for the first")
        return CreateMatchRequest(
            match_id=match_id_for(who.account_id, request_id),
            request_id=request_id,
            options=request.options,
            seats=request.seats,
            visibility=fields.visibility(request.visibility),
            time_control=fields.time_control(request.time_control) if request.HasField("time_control") else None,
            seat=request.seat if request.HasField("seat") else None,
            manual_start=request.manual_start,
            entropy=fields.entropy(request.entropy),
        )

    async def join(self, who: Identity, request: pb.JoinMatchRequest) -> pb.JoinMatchResponse:
        """Takes a free seat for the caller, or gives the one that he has."""
        request_id, entropy = fields.request_id(request.request_id), fields.entropy(request.entropy)
        match_id = await self._which(request)
        handle = await self._players.handle_for(match_id, who.account_id)
        if handle is None:
            match = await self._engines.get_match(match_id)
            _require_open(match, request)
            handle = await self._players.bind(match_id, match.game, who.account_id, who.name)
        seat = request.seat if request.HasField("seat") else None
        command = ExecuteRequest(match_id=match_id, handle=handle, request_id=request_id)
        command.take_seat.CopyFrom(TakeSeat(seat=seat, entropy=entropy))
        answer = await self._engines.execute(command)
        match = await self._told(await self._engines.get_match(match_id, answer.cursor), who)
        mine = [seat.number for seat in match.seats if seat.handle == handle]
        if not mine:
            raise Refused(REASON_NOT_YOUR_SEAT, "you took a seat and gave it back; join again with a new request id")
        return pb.JoinMatchResponse(match=match, seat=mine[0], durability=answer.durability)

    async def _which(self, request: pb.JoinMatchRequest) -> str:
        """The match that is meant, by its id, an invite code or both. Raises `Refused`: INVITE_INVALID."""
        if not request.invite_code:
            return fields.match_id(request.match_id)
        if request.match_id:
            fields.match_id(request.match_id)
        invited_to = await self._players.invited_to(request.invite_code)
        if invited_to is None or request.match_id not in ("", invited_to):
            raise Refused(
                REASON_INVITE_INVALID,
                "the invite code leads to no match, or not to this one; ask who invited you for the code again",
            )
        return invited_to

    async def leave(self, who: Identity, request: pb.LeaveMatchRequest) -> pb.LeaveMatchResponse:
        """Gives the caller's seat back."""
        command = await self._as_sitter(who, request.request_id, request.match_id)
        command.leave_seat.CopyFrom(LeaveSeat())
        answer = await self._engines.execute(command)
        match = await self._engines.get_match(request.match_id, answer.cursor)
        return pb.LeaveMatchResponse(match=await self._told(match, who))

    async def start(self, who: Identity, request: pb.StartMatchRequest) -> pb.StartMatchResponse:
        """Starts the caller's match with the seats that are taken."""
        command = await self._as_sitter(who, request.request_id, request.match_id)
        command.start.CopyFrom(Start())
        answer = await self._engines.execute(command)
        match = await self._engines.get_match(request.match_id, answer.cursor)
        return pb.StartMatchResponse(match=await self._told(match, who))

    async def _as_sitter(self, who: Identity, request_id: str, match_id: str) -> ExecuteRequest:
        """A command of the caller in the match, still without what is to be done. Raises `Refused`: NOT_YOUR_SEAT."""
        fields.request_id(request_id)
        handle = await self._players.handle_for(fields.match_id(match_id), who.account_id)
        if handle is None:
            await self._engines.get_match(match_id)
            raise Refused(REASON_NOT_YOUR_SEAT, "you hold no seat of this match; join it while it waits, or watch it")
        return ExecuteRequest(match_id=match_id, handle=handle, request_id=request_id)

    async def _told(self, match: Match, who: Identity) -> Match:
        """The match as the caller is told of it; the list of public matches learns of it too."""
        self._listing.learn(match)
        await self._players.name_seats(match, who.account_id)
        return match


def _require_open(match: Match, request: pb.JoinMatchRequest) -> None:
    """What can be said to somebody who never asked for a seat here before, so that no handle is made in vain."""
    if match.visibility == VISIBILITY_PRIVATE and not request.invite_code:
        raise Refused(REASON_INVITE_INVALID, "the match is private; join it with the invite code of who sits at it")
    if match.status == MATCH_STATUS_ACTIVE:
        raise Refused(
            REASON_MATCH_STARTED,
            "the match has started: seats can no longer be taken or left; watch it, or create another",
        )
    if match.status != MATCH_STATUS_WAITING:
        raise Refused(
            REASON_MATCH_FINISHED,
            f"the match is over, its last event is {match.head.seq}; replay it, or create another",
            {"head_seq": str(match.head.seq)},
        )
    free = [seat.number for seat in match.seats if not seat.handle]
    if not free:
        raise Refused(REASON_MATCH_FULL, f"all {len(match.seats)} seats are taken; watch it, or create another")
    if request.HasField("seat") and request.seat not in free:
        listed = ", ".join(map(str, free))
        raise Refused(
            REASON_SEAT_TAKEN,
            f"seat {request.seat} is not free; free are: {listed}; leave `seat` unset for the first of them",
            {"seat": str(request.seat), "free": listed},
        )
