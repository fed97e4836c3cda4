"""An operator's way in: the fleet's store, and its engines with the fleet's credential."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import grpc
from hamle.engine.v1.engine_pb2_grpc import EngineServiceStub
from hamle.error.v1 import error_pb2

from cli.errors import Stop
from core.errors import Refused
from core.fleet.addressee import metadata_for
from core.fleet.announcements import open_replicas, read_announcements
from core.fleet.credential import fleet_credential
from core.rpc.client import channel, refusal_of
from core.settings import Settings, SettingsInvalid, load
from core.store.client import Client, open_store
from core.store.settings import StoreSettings

if TYPE_CHECKING:
    from hamle.engine.v1.engine_pb2_grpc import EngineServiceAsyncStub


@asynccontextmanager
async def store() -> AsyncIterator[tuple[Client, Settings]]:
    """The store that the environment names. Raises `Refused`, Stop."""
    try:
        settings = load(Settings)
        client = await open_store(StoreSettings.of(settings))
        try:
            yield client, settings
        finally:
            await client.aclose()
    except SettingsInvalid as invalid:
        raise Stop("\n".join(["The settings are wrong:", *invalid.problems])) from invalid


@asynccontextmanager
async def engine_for(
    client: Client, settings: Settings, game: str
) -> AsyncIterator[tuple[EngineServiceAsyncStub, tuple[tuple[str, str], ...]]]:
    """An engine of the game and the metadata it wants. Raises `Refused`: ENGINE_UNAVAILABLE, what the engine says."""
    replicas = open_replicas(await read_announcements(client), game)
    if not replicas:
        raise Refused(error_pb2.REASON_ENGINE_UNAVAILABLE, f"No engine runs {game} now; start one.", {"game": game})
    metadata = metadata_for(await fleet_credential(client), replicas[0].replica)
    async with channel(replicas[0].address, settings) as connection:
        try:
            yield EngineServiceStub(connection), metadata
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error) or _unavailable(game, error) from error


def _unavailable(game: str, error: grpc.aio.AioRpcError) -> Refused:
    return Refused(
        error_pb2.REASON_ENGINE_UNAVAILABLE, f"The engine of {game} does not answer: {error.details()}.", {"game": game}
    )
