"""What the lobby needs of the engines; `services.gateway.routing.calls.EngineCalls` gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hamle.engine.v1.engine_pb2 import CreateMatchRequest, CreateMatchResponse, ExecuteRequest, ExecuteResponse
from hamle.match.v1.match_pb2 import Cursor, GameInfo, Match


class Engines(Protocol):
    """The engines of all games. All but `list_games` raise `Refused`."""

    def list_games(self) -> Sequence[GameInfo]:
        """The games that engines run now, by name."""
        ...

    async def create_match(self, game: str, request: CreateMatchRequest) -> CreateMatchResponse:
        """Creates a match of the game, under the id in the request; a repeated call gives the same match."""
        ...

    async def execute(self, request: ExecuteRequest) -> ExecuteResponse:
        """Does what an actor asks for; a repeated call is done once."""
        ...

    async def get_match(self, match_id: str, known: Cursor | None = None) -> Match:
        """The match as lists show it, at least as new as what is `known`; names are still to be filled in."""
        ...
