"""From a request for an opponent to a match that has started."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Final

from hamle.engine.v1.engine_pb2 import CreateMatchRequest, Sitter
from hamle.error.v1.error_pb2 import REASON_OVERLOADED, REASON_REQUEST_ID_REUSED, REASON_TICKET_NOT_FOUND
from hamle.event.v1.event_pb2 import VISIBILITY_PUBLIC
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import Match

from core.errors import Refused
from services.gateway import fields
from services.gateway.identity import Identity
from services.gateway.lobby.catalogue import Catalogue, full_options
from services.gateway.lobby.listing import Listing
from services.gateway.lobby.ports import Engines
from services.gateway.pairing.queue import Pairing, Queue, ticket_for
from services.gateway.pairing.terms import Terms
from services.gateway.pairing.waiters import Waiters
from services.gateway.players.players import Players

MOST_WAIT_MS: Final = 20_000
_SHOWN: Final = 40


class Pairings:
    """What LobbyService does about pairing, for callers who have been let in.

    A pairing is in the store before its match is anywhere. Whoever waits for either ticket makes the match, which
    follows from the pairing alone, so between any two steps any process may die, and the next one goes on.
    """

    def __init__(
        self,
        queue: Queue,
        waiters: Waiters,
        engines: Engines,
        catalogue: Catalogue,
        players: Players,
        listing: Listing,
        new_id: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        self._queue = queue
        self._waiters = waiters
        self._engines = engines
        self._catalogue = catalogue
        self._players = players
        self._listing = listing
        self._new_id = new_id

    async def request(self, who: Identity, request: pb.RequestPairingRequest) -> pb.RequestPairingResponse:
        """Queues the caller, or pairs him with who waits already."""
        ticket = ticket_for(who.account_id, fields.request_id(request.request_id))
        info = self._catalogue.find(request.game)
        if not info.min_seats <= 2 <= info.max_seats:
            raise fields.wrong("game", "a game that two can play; create a match for others to join")
        clock = None
        if request.HasField("time_control"):
            control = fields.time_control(request.time_control)
            clock = (control.initial_ms, control.increment_ms)
        terms = Terms(request.game, full_options(info, request.options), clock)
        state = await self._queue.request(ticket, who.account_id, who.name, terms, self._new_id())
        if state == "reused":
            raise Refused(
                REASON_REQUEST_ID_REUSED,
                "the request id was used before for another pairing; take a new id for a new request",
            )
        if state == "crowded":
            raise Refused(
                REASON_OVERLOADED,
                "you wait for too many opponents for the same game already; cancel some of the tickets",
                retry_after_ms=1000,
            )
        return pb.RequestPairingResponse(ticket=ticket)

    async def wait(self, who: Identity, request: pb.AwaitPairingRequest) -> pb.AwaitPairingResponse:
        """Waits for the caller's pairing, and makes its match when nobody has yet."""
        if request.wait_ms > MOST_WAIT_MS:
            raise fields.wrong("wait_ms", f"0 to {MOST_WAIT_MS} ms; ask again after it")
        seen = await self._waiters.wait(request.ticket, who.account_id, request.wait_ms / 1000)
        if seen is None:
            raise _no_ticket(request.ticket)
        if seen.pairing is None:
            return pb.AwaitPairingResponse()
        match = await self._match(seen.pairing)
        self._listing.learn(match)
        await self._players.name_seats(match, who.account_id)
        return pb.AwaitPairingResponse(match=match)

    async def cancel(self, who: Identity, request: pb.CancelPairingRequest) -> pb.CancelPairingResponse:
        """Takes the caller's ticket out of the queue, unless he is paired already."""
        state = await self._queue.cancel(request.ticket, who.account_id)
        if state == "gone":
            raise _no_ticket(request.ticket)
        return pb.CancelPairingResponse(paired=state == "paired")

    async def _match(self, pairing: Pairing) -> Match:
        if pairing.made:
            return await self._engines.get_match(pairing.match_id)
        game = pairing.terms.game
        handles = [
            await self._players.bind(pairing.match_id, game, account_id, name)
            for account_id, name in zip(pairing.accounts, pairing.names, strict=True)
        ]
        seats = pairing.seats()
        answer = await self._engines.create_match(
            game,
            CreateMatchRequest(
                match_id=pairing.match_id,
                request_id=pairing.id,
                options=pairing.terms.options,
                seats=2,
                visibility=VISIBILITY_PUBLIC,
                time_control=pairing.terms.time_control(),
                seat=seats[0],
                handle=handles[0],
                sitters=[Sitter(seat=seats[1], handle=handles[1])],
            ),
        )
        await self._queue.made(pairing.id)
        return answer.match


def _no_ticket(ticket: str) -> Refused:
    return Refused(
        REASON_TICKET_NOT_FOUND,
        "you have no such ticket, or it is over: a ticket leaves the queue when nobody has waited for it during 30 s; "
        "call RequestPairing with a new request id",
        {"ticket": ticket[:_SHOWN]},
    )
