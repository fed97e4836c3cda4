"""Materials of an engine: those that matches name are fetched by their digest, those that were added can be named."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

from google.protobuf.message import DecodeError
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from core.log.types import Record
from core.materials.naming import Material, missing
from core.materials.stored import Listed, fetch, keep, listed
from core.store.client import Client
from core.store.outage import Outage
from core.telemetry import logs
from engines.kit.history import History
from engines.kit.materials import materials_of, unknown, with_materials
from engines.kit.state import AnyGame

POLL_S: Final = 1.0

_log = logs.get_logger("hamle.engine")


class Materials:
    """What the store has for a game. `game` is the one for new matches: it knows all that is listed too.

    `games` are the games by rules version.
    """

    def __init__(self, store: Client, game: AnyGame, games: Mapping[str, AnyGame]) -> None:
        self.game = game
        self._store = store
        self._built_in = game
        self._games = games
        self._listed: list[Listed] = []
        self._unplayable: set[str] = set()

    async def start(self) -> None:
        """Stores what comes with the game, so that its matches outlive it; reads the list. Raises STORE_DOWN."""
        for spec in self._built_in.info.options:
            for value in spec.materials or ():
                for material in materials_of(self._built_in.info, {spec.name: value}):
                    await keep(self._store, material)
        await self.refresh()

    async def equip(self, history: History, record: Record) -> None:
        """Gives a history what it needs to fold the first record. Raises MATERIAL_MISSING, MATERIAL_INVALID."""
        try:
            created = event_pb2.Event.FromString(record.event).created
        except DecodeError:
            return  # the history says better what is wrong with the record
        game = self._games.get(created.rules)
        if game is not None:
            history.materials = [await self.fetch(*pair) for pair in unknown(game.info, created.options)]

    async def fetch(self, option: str, value: str) -> Material:
        """The material from the store. Raises MATERIAL_MISSING, MATERIAL_INVALID, STORE_DOWN."""
        material = await fetch(self._store, option, value)
        if material is None:
            _log.error("material missing", option=option, value=value)
            raise missing(option, value)
        return material

    async def refresh(self) -> None:
        """Takes in what was added or withdrawn. Raises STORE_DOWN."""
        entries = await listed(self._store, self._built_in.info.game)
        if entries == self._listed:
            return
        grown = entries[: len(self._listed)] == self._listed
        game, taken = (self.game, list(self._listed)) if grown else (self._built_in, [])
        for entry in entries[len(taken) :]:
            try:
                if unknown(game.info, {entry.option: entry.value}) and entry.value not in self._unplayable:
                    game = with_materials(game, [await self.fetch(entry.option, entry.value)])
            except Refused as refused:
                if refused.reason == error_pb2.REASON_MATERIAL_MISSING:
                    break  # looked for again at the next poll
                if refused.reason != error_pb2.REASON_MATERIAL_INVALID:
                    raise
                _log.warning("material not playable", option=entry.option, value=entry.value, reason=refused.message)
                self._unplayable.add(entry.value)
            taken.append(entry)
        self.game, self._listed = game, taken

    async def watch(self, changed: Callable[[], None]) -> None:
        """Follows the list until cancelled, also after the store was away; `changed` is called once and at each change.

        A game whose options take no files has nothing to follow.
        """
        outage = Outage(_log, "materials not looked up; trying on", "materials are looked up again")
        told: object = None
        while any(spec.materials is not None for spec in self._built_in.info.options):
            await asyncio.sleep(POLL_S)
            try:
                await self.refresh()
            except Refused as refused:
                outage.begins(refused.name)
            else:
                outage.ends()
            # Whoever asked for a match may have taken it in before.
            if self.game.info.options != told:
                told = self.game.info.options
                changed()
