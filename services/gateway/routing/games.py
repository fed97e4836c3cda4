"""Which game a match is of. Its id does not say; the hash of its players does."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from core.log.keys import players_key
from services.gateway.fields import match_id as checked
from services.gateway.fields import no_match
from services.gateway.seams import GAME_FIELD

MOST: Final = 100_000


class MatchGames:
    """Games of matches, and the rules versions of those whose engine asked for it; the least used are forgotten.

    A match's game never changes, so what is known stays true. `read` gives the field of a match's hash in the store.
    """

    def __init__(self, read: Callable[[str, str], Awaitable[bytes | None]], most: int = MOST) -> None:
        self._read = read
        self._most = most
        self._games: OrderedDict[str, tuple[str, str | None]] = OrderedDict()

    def known(self, match_id: str) -> tuple[str, str | None] | None:
        """Game and rules version (None: any engine of the game will do), without asking the store."""
        return self._games.get(match_id)

    async def look_up(self, match_id: str) -> tuple[str, str | None]:
        """As `known`, from the store. Raises `Refused`: MATCH_NOT_FOUND, STORE_DOWN."""
        data = await self._read(players_key(checked(match_id)), GAME_FIELD)
        if data is None:
            raise no_match(match_id)
        return self._keep(match_id, data.decode(), None)

    def tell(self, match_id: str, game: str) -> None:
        """Takes note of a match that was just created."""
        if match_id not in self._games:
            self._keep(match_id, game, None)

    def pin(self, match_id: str, game: str, rules: str) -> None:
        """Takes note that the match needs an engine that knows that rules version."""
        self._keep(match_id, game, rules)

    def _keep(self, match_id: str, game: str, rules: str | None) -> tuple[str, str | None]:
        self._games[match_id] = found = (game, rules)
        self._games.move_to_end(match_id)
        if len(self._games) > self._most:
            self._games.popitem(last=False)
        return found
