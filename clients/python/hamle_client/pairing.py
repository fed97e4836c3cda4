"""Waiting for an opponent."""

from __future__ import annotations

import asyncio

from hamle.lobby.v1 import lobby_pb2
from hamle.match.v1 import match_pb2

from hamle_client.caller import Caller
from hamle_client.errors import HamleError
from hamle_client.match import new_request_id

WAIT_MS = 15_000


async def await_pairing(caller: Caller, request: lobby_pb2.RequestPairingRequest) -> match_pb2.Match:
    """The match that the queue makes of the request.

    Queues anew when the ticket is over; cancelling leaves the queue, also while the request is under way.
    """
    while True:
        request.request_id, ticket = new_request_id(), ""
        try:
            ticket = await _ticket(caller, request)
            return await _await_ticket(caller, ticket)
        except HamleError as error:
            if error.reason != "TICKET_NOT_FOUND":
                raise
        except asyncio.CancelledError:
            await _leave(caller, request, ticket)
            raise


async def _ticket(caller: Caller, request: lobby_pb2.RequestPairingRequest) -> str:
    return (await caller.call(lambda c: c.lobby.RequestPairing, request)).ticket


async def _await_ticket(caller: Caller, ticket: str) -> match_pb2.Match:
    waiting = lobby_pb2.AwaitPairingRequest(ticket=ticket, wait_ms=WAIT_MS)
    while True:
        answer = await caller.call(lambda c: c.lobby.AwaitPairing, waiting, held=WAIT_MS / 1000)
        if answer.HasField("match"):
            return answer.match


async def _leave(caller: Caller, request: lobby_pb2.RequestPairingRequest, ticket: str) -> None:
    """Tells the server, within a call's timeout.

    A ticket that nobody waits for leaves the queue by itself, so a failure changes little.
    """
    leaving = asyncio.ensure_future(_cancel(caller, request, ticket))
    try:
        done, _ = await asyncio.wait({leaving}, timeout=caller.timeout)
    finally:
        leaving.cancel()
    if done and not leaving.cancelled():
        leaving.exception()


async def _cancel(caller: Caller, request: lobby_pb2.RequestPairingRequest, ticket: str) -> None:
    # Cancelled before the answer came, the request may have queued all the same: repeated, it has the same ticket.
    known = ticket or await _ticket(caller, request)
    await caller.call(lambda c: c.lobby.CancelPairing, lobby_pb2.CancelPairingRequest(ticket=known))
