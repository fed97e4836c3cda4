"""Asking the engines: which game a match is of, which replicas answer for it, what its deadline has brought about."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Final

import grpc
from google.protobuf.message import DecodeError
from hamle.engine.v1 import engine_pb2, engine_pb2_grpc
from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.fleet.addressee import ANOTHER, metadata_for
from core.fleet.announcements import open_replicas, read_announcements
from core.fleet.credential import fleet_credential
from core.fleet.rendezvous import ranked
from core.log.first import game_of
from core.log.keys import shard_of
from core.rpc.client import channel, refusal_of
from core.settings import Settings
from core.store.client import Client
from core.store.outage import Outage
from core.telemetry import logs

ANSWER_S: Final = 2.0
MOST_GAMES: Final = 50_000

_ELSEWHERE: Final = ANOTHER | {error_pb2.REASON_SHUTTING_DOWN, error_pb2.REASON_RULES_UNAVAILABLE}
"""What one replica refuses with where another may do it."""

_log = logs.get_logger("hamle.timekeeper")


class Engines:
    """The engines as announced in the store. `refresh` looks again who is there; `close` hangs up."""

    def __init__(self, store: Client, settings: Settings | None = None) -> None:
        self._settings = settings
        self._store = store
        self._announced: list[engine_pb2.Announcement] = []
        self._channels: dict[str, grpc.aio.Channel] = {}
        self._silent: set[str] = set()
        self._games: OrderedDict[str, str] = OrderedDict()
        self._credential = ""
        self._unread = Outage(
            _log, "announcements not read; going on with what is known", "announcements are read again"
        )

    async def refresh(self) -> None:
        """Reads who runs what. Raises `Refused` when the store does not say."""
        if not self._credential:
            self._credential = await fleet_credential(self._store)
        try:
            self._announced = await read_announcements(self._store)
        except DecodeError:
            self._unread.begins("an announcement does not parse")
            return
        self._unread.ends()
        self._silent.clear()
        gone = self._channels.keys() - {announced.address for announced in self._announced}
        for address in gone:
            await self._channels.pop(address).close(None)

    async def close(self) -> None:
        """Closes all connections."""
        for open_channel in self._channels.values():
            await open_channel.close(None)
        self._channels.clear()

    async def pass_deadline(self, match_id: str) -> engine_pb2.PassDeadlineResponse:
        """Lets the match's owner look at its deadline, or where it is lost or cannot the next replica in rank.

        Raises `Refused` when no engine could, or the one that could would not.
        """
        game = await self._game_of(match_id)
        by_name = {announced.replica: announced for announced in open_replicas(self._announced, game)}
        refused = _unavailable(game)
        # A dead replica is announced for a while yet; every match would wait for it anew.
        for name in sorted(ranked(shard_of(match_id), by_name), key=self._silent.__contains__):
            try:
                return await self._ask(by_name[name], match_id)
            except grpc.aio.AioRpcError as error:
                known = refusal_of(error)
                if known is None:
                    self._silent.add(name)
                elif known.reason not in _ELSEWHERE:
                    raise known from error
                else:
                    refused = known
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                # The replica was no longer announced, and its connection was closed under the call.
        raise refused

    async def _ask(self, replica: engine_pb2.Announcement, match_id: str) -> engine_pb2.PassDeadlineResponse:
        return await self._stub(replica.address).PassDeadline(
            engine_pb2.PassDeadlineRequest(match_id=match_id),
            timeout=ANSWER_S,
            metadata=metadata_for(self._credential, replica.replica),
        )

    def _stub(self, address: str) -> engine_pb2_grpc.EngineServiceAsyncStub:
        if address not in self._channels:
            self._channels[address] = channel(address, self._settings)
        return engine_pb2_grpc.EngineServiceStub(self._channels[address])

    async def _game_of(self, match_id: str) -> str:
        game = self._games.get(match_id)
        if game is None:
            game = self._games[match_id] = await game_of(self._store, match_id)
            if len(self._games) > MOST_GAMES:
                self._games.popitem(last=False)
        return game


def _unavailable(game: str) -> Refused:
    return Refused(
        error_pb2.REASON_ENGINE_UNAVAILABLE,
        f"No engine answers for {game} now; it is asked again later.",
        {"game": game},
    )
