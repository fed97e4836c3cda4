"""An engine process: one game's rules over the matches' logs, from start to drain."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from secrets import token_hex
from typing import Final

from hamle.engine.v1 import engine_pb2, engine_pb2_grpc
from hamle.match.v1 import match_pb2

from core.fairness.draw import SeededDraw
from core.fleet.addressee import AddresseeGuard
from core.fleet.announcements import announce
from core.fleet.credential import fleet_credential
from core.log import feed
from core.log.appender import Appender
from core.log.keys import shard_of
from core.log.losses import Losses
from core.log.reader import RedisLogReader
from core.log.shards import check_shards
from core.log.types import Appended, Durability
from core.process.run import Process, load_or_exit, run
from core.rpc.options import FLEET_BYTES
from core.rpc.server import RpcServer
from core.store.client import Client, open_store
from core.store.clock import StoreClock
from core.store.settings import StoreSettings
from core.telemetry import logs
from core.telemetry.metrics import APPEND_BATCH, WARM_MATCHES, WATCHERS
from engines.kit.host.begin import Watches
from engines.kit.host.commands import Commands
from engines.kit.host.creation import Creation
from engines.kit.host.describe import descriptor_set, info_proto, view_message
from engines.kit.host.follow import MatchFollower
from engines.kit.host.matches import Matches
from engines.kit.host.materials import Materials
from engines.kit.host.meters import Meters
from engines.kit.host.reads import Reads
from engines.kit.host.records import Records
from engines.kit.host.servicer import EngineServicer
from engines.kit.host.settings import EngineSettings
from engines.kit.host.short_way import ShortWay
from engines.kit.host.warm import WarmCache, WarmMatch
from engines.kit.host.writing import Writer
from engines.kit.state import AnyGame

_log = logs.get_logger("hamle.engine")

_GAUGES_EVERY_S: Final = 2.0


class Engine:
    """One replica of a game's engine. `older` are games of earlier rules versions, which matches may be pinned to."""

    def __init__(self, settings: EngineSettings, game: AnyGame, older: Sequence[AnyGame] = ()) -> None:
        self._settings = settings
        self._game = game
        self._games: Mapping[str, AnyGame] = {each.info.rules: each for each in (game, *older)}
        self._meters = Meters(game.info.game)
        self._feeds: feed.FeedFollower
        self._follower: MatchFollower
        self._writer: Writer
        self.port = 0

    def _appended(self, match: WarmMatch, appended: Appended) -> None:
        self._feeds.note(shard_of(match.match_id), appended.feed)

    async def run(self, process: Process) -> None:
        """Serves until the process is to stop, then drains: no new shards, what is under way is finished."""
        settings = self._settings
        async with AsyncExitStack() as stack:
            store = await open_store(StoreSettings.of(settings))
            stack.push_async_callback(store.aclose)
            await check_shards(store)
            clock = StoreClock(store)
            await clock.sync()
            appender = await stack.enter_async_context(self._appender())
            materials = Materials(store, self._game, self._games)
            await materials.start()
            matches = self._matches(store, appender, clock, materials)
            view = view_message(self._game, SeededDraw(bytes(32), 1))

            def info() -> match_pb2.GameInfo:
                return info_proto(materials.game.info, list(self._games), view.full_name)

            servicer = self._servicer(info, matches, clock, materials)
            replica = token_hex(8)
            # The gateways' stream is bidirectional, which the native server would only pass on to grpcio.
            server = RpcServer(settings.model_copy(update={"grpc_server": "grpcio"}), FLEET_BYTES)
            server.add(
                engine_pb2_grpc.add_EngineServiceServicer_to_server,
                servicer,
                guard=AddresseeGuard(await fleet_credential(store), replica),
            )

            async def end(kind: type[BaseException] | None, *_: object) -> None:
                servicer.close()
                await server.stop(0 if kind is asyncio.CancelledError else None)

            # Whatever becomes of the announcement, streams and calls are ended.
            stack.push_async_exit(end)
            self.port = await server.start(serving=False)
            process.keeper.keep("follow", self._follower.run)
            process.keeper.keep("appender", appender.watch)
            process.keeper.keep("clock", clock.run, restart=True)
            process.keeper.keep("gauges", lambda: self._gauges(matches.cache))
            announcement = engine_pb2.Announcement(
                replica=replica,
                address=settings.advertise or f"{settings.host}:{self.port}",
                info=info(),
                descriptors=descriptor_set(view.file),
            )
            async with announce(store, announcement) as announcer:
                # A gateway that starts once this engine serves finds it announced.
                server.health.set_serving(True)
                process.keeper.keep("materials", lambda: materials.watch(lambda: announcer.tell(info())))
                _log.info("engine serves", game=self._game.info.game, rules=list(self._games), port=self.port)
                await process.stopping.wait()
                await announcer.drain()
                await asyncio.sleep(settings.drain_s)

    def _appender(self) -> Appender:
        batch = APPEND_BATCH.labels()
        return Appender(
            StoreSettings.of(self._settings),
            on_batch=lambda size, seconds: batch.observe(size),
            on_new_history=lambda shards: self._follower.renewed(shards),
        )

    def _matches(self, store: Client, appender: Appender, clock: StoreClock, materials: Materials) -> Matches:
        """The matches of this replica, and what follows and writes their logs."""
        reader, cache = RedisLogReader(store), WarmCache(self._settings.cache_bytes)
        matches = Matches(self._games, Records(reader, materials), cache, Losses(store), self._meters)
        self._writer = Writer(appender, cache, self._appended, self._meters)
        self._feeds = feed.FeedFollower(store)
        self._follower = MatchFollower(matches, self._feeds, reader.heads, clock.now_ms)
        return matches

    def _servicer(
        self, info: Callable[[], match_pb2.GameInfo], matches: Matches, clock: StoreClock, materials: Materials
    ) -> EngineServicer:
        durability, now_ms = Durability[self._settings.durability.upper()], clock.now_ms
        reads = Reads(matches)
        return EngineServicer(
            info,
            Creation(materials, matches, self._writer, durability, now_ms, self._settings.start_within_ms),
            Commands(matches, self._writer, durability, now_ms, self._meters),
            ShortWay(matches, self._writer, now_ms, self._meters),
            reads,
            Watches(matches, reads),
        )

    async def _gauges(self, cache: WarmCache) -> None:
        warm, watchers = WARM_MATCHES.labels(self._game.info.game), WATCHERS.labels("engine")
        while True:
            matches = cache.matches()
            warm.set(len(matches))
            watchers.set(sum(len(match.watches) for match in matches))
            await asyncio.sleep(_GAUGES_EVERY_S)


def serve(game: AnyGame, older: Sequence[AnyGame] = ()) -> None:
    """Runs an engine process with the settings of the environment, and ends the program."""
    settings = load_or_exit(EngineSettings)
    engine = Engine(settings, game, older)
    sys.exit(run(f"engine-{game.info.game}", engine.run, settings, drain_s=settings.drain_s))
