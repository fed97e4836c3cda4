"""Which game a match is of. Its id does not say; the hash of its players does."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

from core.log.keys import players_key, shard_of
from services.gateway.fields import match_id as checked
from services.gateway.fields import no_match
from services.gateway.players.seating import GAME_FIELD

MOST: Final = 100_000


class Route(NamedTuple):
    """What decides where a match's calls go. `rules` None: any engine of the game will do."""

    game: str
    shard: int
    rules: str | None = None


class MatchGames:
    """Routes of matches. A match's game never changes, so what is known stays true; the oldest are forgotten.

    `read` gives a field of a hash in the store.
    """

    def __init__(self, read: Callable[[str, str], Awaitable[bytes | None]], most: int = MOST) -> None:
        self._read = read
        self._most = most
        self._routes: dict[str, Route] = {}

    def known(self, match_id: str) -> Route | None:
        """The route, as far as is known without asking the store."""
        return self._routes.get(match_id)

    async def look_up(self, match_id: str) -> Route:
        """As `known`, from the store. Raises `Refused`: MATCH_NOT_FOUND, STORE_DOWN."""
        data = await self._read(players_key(checked(match_id)), GAME_FIELD)
        if data is None:
            raise no_match(match_id)
        return self._keep(match_id, data.decode())

    def tell(self, match_id: str, game: str) -> None:
        """Takes note of a match that was just created."""
        if match_id not in self._routes:
            self._keep(match_id, game)

    def pin(self, match_id: str, game: str, rules: str) -> None:
        """Takes note that the match needs an engine that knows that rules version."""
        self._keep(match_id, game, rules)

    def _keep(self, match_id: str, game: str, rules: str | None = None) -> Route:
        route = self._routes[match_id] = Route(game, shard_of(match_id), rules)
        if len(self._routes) > self._most:
            del self._routes[next(iter(self._routes))]
        return route
