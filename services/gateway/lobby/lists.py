"""One match, the public ones, and the caller's own."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable
from typing import Final

from hamle.error.v1.error_pb2 import REASON_ENGINE_UNAVAILABLE, REASON_MATCH_NOT_FOUND, REASON_RULES_UNAVAILABLE
from hamle.event.v1.event_pb2 import VISIBILITY_PRIVATE
from hamle.lobby.v1 import lobby_pb2 as pb
from hamle.match.v1.match_pb2 import MATCH_STATUS_UNSPECIFIED, Match, MatchStatus

from core.errors import Refused
from services.gateway import fields
from services.gateway.identity import Identity
from services.gateway.lobby.listing import LISTED, Listing
from services.gateway.lobby.pages import page_token, place_of
from services.gateway.lobby.ports import Engines
from services.gateway.players.index import Place
from services.gateway.players.players import Players

_ROUNDS: Final = 5
_FOR_GOOD_MS: Final = 86_400_000
_AWAY: Final = (REASON_ENGINE_UNAVAILABLE, REASON_RULES_UNAVAILABLE)


class Lists:
    """What LobbyService tells of matches. `secrets` gives the page tokens' secrets, newest first."""

    def __init__(
        self,
        engines: Engines,
        players: Players,
        listing: Listing,
        secrets: Callable[[], list[bytes]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._engines = engines
        self._players = players
        self._listing = listing
        self._secrets = secrets
        self._clock = clock

    async def one(self, who: Identity, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        """One match; its invite code for who sits at it."""
        match = await self._engines.get_match(fields.match_id(request.match_id))
        await self._players.name_seats(match, who.account_id)
        code = ""
        if match.visibility == VISIBILITY_PRIVATE and any(seat.yours for seat in match.seats):
            code = await self._players.invite_code(match.match_id)
        return pb.GetMatchResponse(match=match, invite_code=code)

    async def page(self, who: Identity, request: pb.ListMatchesRequest) -> pb.ListMatchesResponse:
        """A page of the public matches, or of the caller's own."""
        size = fields.page_size(request.page_size)
        _require_status(request.status, request.mine)
        query = _query(who, request)
        after = place_of(self._secrets(), query, request.page_token)
        if request.mine:
            matches, last = await self._own(who, request, after, size)
        else:
            matches, last = await self._listing.page(request.game, request.status, after, size)
            await self._players.name_all_seats(matches, who.account_id)
        token = "" if last is None else page_token(self._secrets()[0], query, last)
        return pb.ListMatchesResponse(matches=matches, next_page_token=token)

    async def _own(
        self, who: Identity, request: pb.ListMatchesRequest, after: Place | None, size: int
    ) -> tuple[list[Match], Place | None]:
        """A page of the caller's own matches; shorter, but with a next one, when many had to be passed over."""
        found: list[Match] = []
        for _ in range(_ROUNDS):
            places = await self._players.own_matches(who.account_id, after, size + 1)
            answers = await asyncio.gather(*(self._own_match(who, place) for place in places[:size]))
            there = [match for match in answers if match is not None]
            await self._players.name_all_seats(there, who.account_id)
            kept = {match.match_id: match for match in there if _is_wanted(match, request)}
            for number, place in enumerate(places[:size]):
                after = place
                if place.match_id in kept:
                    found.append(kept[place.match_id])
                if len(found) == size:
                    return found, after if number + 1 < len(places) else None
            if len(places) <= size:
                return found, None
        return found, after

    async def _own_match(self, who: Identity, place: Place) -> Match | None:
        """The match; None when it is no more. One whose engine is away is told by its id alone."""
        try:
            return await self._engines.get_match(place.match_id)
        except Refused as refused:
            if refused.reason in _AWAY:
                return Match(match_id=place.match_id)
            if refused.reason != REASON_MATCH_NOT_FOUND:
                raise
        # A young one may be about to be created.
        if self._clock() * 1000 - place.at_ms > _FOR_GOOD_MS:
            await self._players.drop_own(who.account_id, place.match_id)
        return None


def _require_status(status: MatchStatus.ValueType, mine: bool) -> None:
    allowed = [MATCH_STATUS_UNSPECIFIED, *(MatchStatus.values() if mine else LISTED)]
    if status not in allowed:
        names = ", ".join(MatchStatus.Name(value) for value in allowed[1:] if value)
        raise fields.wrong("status", f"{names}, or none for all")


def _query(who: Identity, request: pb.ListMatchesRequest) -> str:
    """What a page token is good for: the same list with the same filters."""
    game = hashlib.sha256(request.game.encode()).hexdigest()
    return f"{who.account_id if request.mine else ''} {request.status} {game}"


def _is_wanted(match: Match, request: pb.ListMatchesRequest) -> bool:
    """Whether the filters let one of the caller's own matches through; of one whose engine is away they see nothing."""
    if not match.game:
        return not request.game and not request.status
    if not any(seat.yours for seat in match.seats):
        return False
    return request.game in ("", match.game) and request.status in (MATCH_STATUS_UNSPECIFIED, match.status)
