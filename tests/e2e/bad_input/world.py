"""Callers and matches in every state, for calls that may hit or miss them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from google.protobuf.message import Message
from hamle.account.v1.account_pb2 import RevokeTokensRequest
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE
from hamle.lobby.v1.lobby_pb2 import ListMatchesRequest, RequestPairingRequest
from hamle.play.v1.play_pb2 import ResignRequest
from hamle.replay.v1.replay_pb2 import ListEventsRequest

from tests.e2e.bad_input.messages import Known
from tests.e2e.bad_input.people import bearer, expired, forged, guest
from tests.e2e.bad_input.scene import CARDS, PLAYING, Scene, new_id, scene
from tests.e2e.bad_input.stack import Metadata, Stack
from tests.e2e.bad_input.templates import Table, fleet, public


class World(NamedTuple):
    """`tokens` are metadata that authorise, `bad` are metadata that do not; `templates` by the request's full name."""

    known: Known
    templates: Mapping[str, Message]
    tokens: Sequence[Metadata]
    bad: Sequence[Metadata]


async def world(stack: Stack, kind: str) -> World:
    """A new one, seen through the gateway of that kind. Its engine is asked about the match of its own game."""
    async with scene(stack, kind, PLAYING) as there, scene(stack, kind, CARDS) as cards:
        await there.move()
        tables = [await _table(one) for one in (there, cards)]
        strings = [text for table in tables for text in (table.match_id, table.handle, table.move)]
        waiting = (await there.create(there.ann)).match.match_id
        private = await there.create(there.ann, visibility=VISIBILITY_PRIVATE)
        strings += [waiting, private.match.match_id, private.invite_code, await _finished(there), new_id()]
        there.match_id = tables[0].match_id
        pages, ticket = await _pages(there), await _ticket(there)
        reader, revoked = await guest(there.channel, "Reader", "watch"), await guest(there.channel, "Revoked")
        await there.accounts.RevokeTokens(RevokeTokensRequest(), metadata=revoked.metadata)
        people = (await there.on_turn(), there.ann, there.bob, cards.ann, there.eve, reader)
        bad: list[Any] = [bearer(expired(stack, there.ann)), bearer(forged(stack, there.ann)), revoked.metadata]
        bad += [(), bearer("e" * 5_000), (("authorization", "Basic eDp5"),), (("authorization-bin", b"\xff"),)]
        return World(
            Known([*strings, *pages, ticket], [bytes(table.head.hash) for table in tables]),
            {**public(tables[0], waiting, pages, ticket), **fleet(tables[kind == "native"])},
            [who.metadata for who in people],
            bad,
        )


async def _table(there: Scene) -> Table:
    match, who = await there.match(), await there.on_turn()
    seat = (there.ann, there.bob).index(who)
    return Table(match.match_id, match.head, match.seats[seat].handle, await there.move_of(who))


async def _finished(there: Scene) -> str:
    there.match_id = (await there.create(there.ann)).match.match_id
    await there.join(there.bob)
    request = ResignRequest(match_id=there.match_id, request_id=new_id())
    await there.play.Resign(request, metadata=there.ann.metadata)
    return there.match_id


async def _pages(there: Scene) -> tuple[str, str]:
    """Page tokens: of Ann's matches, and of the match's events."""
    own, told = ListMatchesRequest(page_size=1, mine=True), ListEventsRequest(match_id=there.match_id, page_size=1)
    metadata = there.ann.metadata
    return (
        (await there.lobby.ListMatches(own, metadata=metadata)).next_page_token,
        (await there.replay.ListEvents(told, metadata=metadata)).next_page_token,
    )


async def _ticket(there: Scene) -> str:
    request = RequestPairingRequest(request_id=new_id(), game="coerceo", options={"cura": "on"})
    return (await there.lobby.RequestPairing(request, metadata=there.ann.metadata)).ticket
