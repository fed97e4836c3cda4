"""Callers and matches in every state, for calls that may hit or miss them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hamle.account.v1.account_pb2 import RevokeTokensRequest
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE
from hamle.lobby.v1.lobby_pb2 import ListMatchesRequest, RequestPairingRequest
from hamle.play.v1.play_pb2 import ResignRequest
from hamle.replay.v1.replay_pb2 import ListEventsRequest

from tests.e2e.bad_input.messages import Known
from tests.e2e.bad_input.people import bearer, expired, forged, guest
from tests.e2e.bad_input.scene import CARDS, PLAYING, Scene, new_id, scene
from tests.e2e.bad_input.stack import Metadata, Stack


class World(NamedTuple):
    """`tokens` are metadata that authorise, `bad` are metadata that do not."""

    known: Known
    tokens: Sequence[Metadata]
    bad: Sequence[Metadata]


async def world(stack: Stack, kind: str) -> World:
    """A new one, seen through the gateway of that kind."""
    async with scene(stack, kind, PLAYING) as there, scene(stack, kind, CARDS) as cards:
        strings = [cards.match_id, *(seat.handle for seat in (await cards.match()).seats)]
        strings += [await there.move_of(there.ann), new_id()]
        played = there.match_id
        for match_id in [*await _matches(there, strings), played]:
            there.match_id = match_id
            strings += [match_id, *(seat.handle for seat in (await there.match()).seats)]
        await there.move()
        head = (await there.match()).head
        strings += await _tokens(there)
        reader, revoked = await guest(there.channel, "Reader", "watch"), await guest(there.channel, "Revoked")
        await there.accounts.RevokeTokens(RevokeTokensRequest(), metadata=revoked.metadata)
        tokens = [who.metadata for who in (there.ann, there.bob, cards.ann, there.eve, reader)]
        bad: list[Metadata] = [bearer(expired(stack, there.ann)), bearer(forged(stack, there.ann)), revoked.metadata]
        bad += [(), bearer("e" * 5_000), (("authorization", "Basic eDp5"),), (("authorization-bin", b"\xff"),)]  # type: ignore[list-item]
        return World(Known(strings, [bytes(head.hash)]), tokens, bad)


async def _matches(there: Scene, strings: list[str]) -> list[str]:
    """One that waits, one that is private, one that is over, and two more that are played."""
    waiting = (await there.create(there.ann)).match.match_id
    private = await there.create(there.ann, visibility=VISIBILITY_PRIVATE)
    strings.append(private.invite_code)
    played = []
    for _ in range(3):
        there.match_id = (await there.create(there.ann)).match.match_id
        played.append(there.match_id)
        await there.join(there.bob)
    request = ResignRequest(match_id=there.match_id, request_id=new_id())
    await there.play.Resign(request, metadata=there.ann.metadata)
    return [waiting, private.match.match_id, *played]


async def _tokens(there: Scene) -> list[str]:
    """A page token of each kind, and a pairing ticket."""
    events = ListEventsRequest(match_id=there.match_id, page_size=1)
    own = ListMatchesRequest(page_size=1, mine=True)
    pairing = RequestPairingRequest(request_id=new_id(), game="coerceo", options={"cura": "on"})
    metadata = there.ann.metadata
    return [
        (await there.replay.ListEvents(events, metadata=metadata)).next_page_token,
        (await there.lobby.ListMatches(own, metadata=metadata)).next_page_token,
        (await there.lobby.RequestPairing(pairing, metadata=metadata)).ticket,
    ]
