"""How matches are created: by the game that knows the materials which their options name."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2

from core.errors import Refused
from engines.kit.host.commands import Commands
from engines.kit.host.matches import Matches
from engines.kit.host.materials import Materials
from engines.kit.materials import unknown, with_materials


class Creation:
    """Creates matches."""

    def __init__(self, materials: Materials, matches: Matches, commands: Commands) -> None:
        self._materials = materials
        self._matches = matches
        self._commands = commands

    async def create(self, request: engine_pb2.CreateMatchRequest) -> engine_pb2.CreateMatchResponse:
        """See `Commands.create`. A material that was added a moment ago is known too."""
        materials = self._materials
        if unknown(materials.game.info, request.options):
            await materials.refresh()
        game = materials.game
        asked = unknown(game.info, request.options)
        if asked and await self._exists(request.match_id):
            # A repeated call gets its first answer, though the material has been withdrawn since.
            game = with_materials(game, [await materials.fetch(*pair) for pair in asked])
        return await self._commands.create(game, request)

    async def _exists(self, match_id: str) -> bool:
        try:
            await self._matches.get(match_id)
        except Refused as refused:
            if refused.reason == error_pb2.REASON_MATCH_NOT_FOUND:
                return False
            raise
        return True
