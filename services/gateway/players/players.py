"""Handles of accounts in matches: made once, looked up at every move."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from hamle.error.v1.error_pb2 import REASON_REQUEST_ID_REUSED
from hamle.match.v1.match_pb2 import MATCH_STATUS_CANCELLED, Match

from core.errors import Refused
from core.log.keys import log_key, players_key
from core.store.client import Client
from core.store.functions import Call, build_library
from services.gateway.players import index, invites
from services.gateway.players.index import Place, index_key
from services.gateway.players.seating import Seating, seating_of
from services.gateway.stored import Stored

LIBRARY: Final = build_library("hamle_players", Path(__file__).parent / "functions")
MOST_CACHED: Final = 50_000
NAMES_HOLD_S: Final = 30.0
"""A player who is forgotten may be named by other gateways for so long."""
OUTLIVE_S: Final = 86_400
"""How long players are kept of a match that never comes into being, or of one that was cancelled, after its log."""


async def open_players(client: Client) -> Players:
    """The players, with their functions in the store. Raises `Refused` when it is down or takes no writes."""
    return Players(await Stored.open(client, LIBRARY))


class Players:
    """Who sits where. Remembers the matches it was asked for last; a handle, once made, never changes."""

    def __init__(
        self,
        store: Stored,
        *,
        most_cached: int = MOST_CACHED,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._most = most_cached
        self._clock = clock
        self._monotonic = monotonic
        self._cache: OrderedDict[str, Seating] = OrderedDict()

    async def close(self) -> None:
        """Refuses what waits for the store, and what comes: SHUTTING_DOWN."""
        await self._store.close()

    def remembered(self, match_id: str, account_id: str) -> str | None:
        """As `handle_for`, as far as is known without asking the store."""
        seating = self._cache.get(match_id)
        if seating is None:
            return None
        self._cache.move_to_end(match_id)
        return seating.handles.get(account_id)

    async def handle_for(self, match_id: str, account_id: str) -> str | None:
        """The account's handle in the match; None when it never asked for a seat there."""
        handle = self.remembered(match_id, account_id)
        if handle is not None:
            return handle
        return (await self._read([match_id]))[0].handles.get(account_id)

    async def bind(self, match_id: str, game: str, account_id: str, name: str) -> str:
        """The account's handle in the match, made now if there is none; idempotent, also between gateways.

        Comes before the engine is asked for the seat, so that no seat is ever taken by a handle that leads nowhere. The
        match is added to the account's own matches; the game is written beside the first handle. Raises `Refused`:
        REQUEST_ID_REUSED when the match is of another game.
        """
        cached = self._cache.get(match_id)
        if cached is not None and cached.game == game and (known := cached.handles.get(account_id)) is not None:
            return known
        await self._store.do("ZADD", index_key(account_id), "NX", int(self._clock() * 1000), match_id)
        keys = [players_key(match_id), log_key(match_id)]
        made = secrets.token_hex(6)
        handle, written = await self._store.call("bind", keys, account_id, made, name, game, OUTLIVE_S)
        if written != game.encode():
            raise Refused(
                REASON_REQUEST_ID_REUSED,
                "the request id was used before for a match of another game; take a new id for a new request",
            )
        return str(handle, "ascii")

    async def name_seats(self, match: Match, account_id: str) -> None:
        """Fills in `name` and `yours` of the match's seats, as the account sees them."""
        await self.name_all_seats([match], account_id)

    async def name_all_seats(self, matches: Sequence[Match], account_id: str) -> None:
        """Does `name_seats` for many matches in one go."""
        now_s = self._monotonic()
        cached = {match.match_id: self._cache.get(match.match_id) for match in matches}
        wanted = [match.match_id for match in matches if not _holds(cached[match.match_id], match, now_s)]
        read = dict(zip(wanted, await self._read(wanted), strict=True))
        for match in matches:
            seating = read.get(match.match_id) or cached[match.match_id]
            assert seating is not None
            seating.name_seats(match, account_id)

    async def invite_code(self, match_id: str) -> str:
        """The code that lets others join the private match, made now if there is none."""
        return await invites.invite_code(self._store, match_id)

    async def invited_to(self, code: str) -> str | None:
        """The match to which an invite code leads, however it was typed; None when it leads nowhere."""
        return await invites.invited_to(self._store, code)

    async def own_matches(self, account_id: str, after: Place | None, limit: int) -> list[Place]:
        """At most `limit` matches for whose seats the account ever asked, newest first, those after a place only."""
        return await index.own_matches(self._store, account_id, after, limit)

    async def drop_own(self, account_id: str, match_id: str) -> None:
        """Takes a match that is no more out of the account's own."""
        await index.drop(self._store, account_id, match_id)

    async def forget(self, account_id: str) -> int:
        """Cuts the account off from all its handles; gives the number of matches. The logs stay as they are.

        Revoke its tokens before, or it may get new ones meanwhile. Other gateways may name it for `NAMES_HOLD_S`.
        """
        forgotten = 0
        while match_ids := [
            member.decode() for member in await self._store.do("ZRANGE", index_key(account_id), 0, 499)
        ]:
            calls = [Call("forget", [players_key(match_id)], [account_id]) for match_id in match_ids]
            forgotten += sum(await self._store.call_all(calls))
            for match_id in match_ids:
                self._cache.pop(match_id, None)
            await self._store.do("ZREM", index_key(account_id), *match_ids)
        return forgotten

    async def _read(self, match_ids: Sequence[str]) -> list[Seating]:
        now_s = self._monotonic()
        calls = [Call("read", [players_key(match_id), log_key(match_id)], [OUTLIVE_S]) for match_id in match_ids]
        found = [seating_of(stays, fields, now_s) for stays, fields in await self._store.call_all(calls)]
        for match_id, seating in zip(match_ids, found, strict=True):
            if seating.handles:
                self._cache[match_id] = seating
                self._cache.move_to_end(match_id)
            else:
                self._cache.pop(match_id, None)
        while len(self._cache) > self._most:
            self._cache.popitem(last=False)
        return found


def _holds(seating: Seating | None, match: Match, now_s: float) -> bool:
    """Whether what was read is enough for the match as it is now."""
    if seating is None or now_s - seating.read_at_s > NAMES_HOLD_S:
        return False
    if seating.stays != (match.status != MATCH_STATUS_CANCELLED):
        return False
    return all(not seat.handle or seat.handle in seating.people for seat in match.seats)
