"""A gateway process: the public API in front of all engines, from start to a graceful end."""

from __future__ import annotations

import sys
from contextlib import AsyncExitStack

from hamle.account.v1.account_pb2_grpc import add_AccountServiceServicer_to_server
from hamle.lobby.v1.lobby_pb2_grpc import add_LobbyServiceServicer_to_server
from hamle.play.v1.play_pb2_grpc import add_PlayServiceServicer_to_server
from hamle.replay.v1.replay_pb2_grpc import add_ReplayServiceServicer_to_server

from core.fleet.announcements import games_announced
from core.fleet.credential import fleet_credential
from core.log.shards import check_shards
from core.process.run import Process, load_or_exit, run
from core.rpc.server import RpcServer
from core.rpc.tls import channel_credentials
from core.store.client import Client, open_store
from core.store.settings import StoreSettings
from core.telemetry import logs
from services.gateway.access import ACCOUNT_SERVICE, LOBBY_SERVICE, PLAY_SERVICE, REPLAY_SERVICE, doors
from services.gateway.account.follower import AccountFollower, open_accounts
from services.gateway.account.service import Accounts
from services.gateway.account.verifier import CachedVerifier
from services.gateway.identity import Doorkeeper
from services.gateway.limits import Limiter
from services.gateway.lobby.catalogue import Catalogue
from services.gateway.lobby.listing import Listing
from services.gateway.lobby.lists import Lists
from services.gateway.lobby.pages import PURPOSE
from services.gateway.lobby.seats import Seats
from services.gateway.lobby.service import Lobby
from services.gateway.pairing.pairing import Pairings
from services.gateway.pairing.queue import Queue
from services.gateway.pairing.waiters import Waiters
from services.gateway.play.service import Play
from services.gateway.players.players import Players, open_players
from services.gateway.replay.service import Replay
from services.gateway.routing.calls import EngineCalls
from services.gateway.routing.directory import Directory
from services.gateway.routing.follow import follow, refresh
from services.gateway.routing.games import MatchGames
from services.gateway.routing.replica import Replica, Terms
from services.gateway.routing.router import Router
from services.gateway.settings import GatewaySettings
from services.gateway.stored import Stored
from services.gateway.watch.queue import Budget
from services.gateway.watch.watching import Watching

_log = logs.get_logger("hamle.gateway")


class Gateway:
    """One gateway. `port` is where it listens once it runs."""

    def __init__(self, settings: GatewaySettings) -> None:
        self._settings = settings
        self._server = RpcServer(settings)
        self.port = 0

    async def run(self, process: Process) -> None:
        """Serves until the process is to stop; then watchers are told where to go on, and calls are let end."""
        async with AsyncExitStack() as stack:
            # Files that cannot be used are told now and not when the first engine is found.
            channel_credentials(self._settings)
            store = await open_store(StoreSettings.of(self._settings))
            stack.push_async_callback(store.aclose)
            await check_shards(store)
            accounts = await open_accounts(store)
            stack.push_async_callback(accounts.close)
            follower = AccountFollower(accounts)
            await follower.start()
            door = Doorkeeper(
                CachedVerifier(follower),
                Limiter(self._settings.rates),
                trust_forwarded=self._settings.trust_forwarded,
            )
            players = await open_players(store)
            stack.push_async_callback(players.close)
            directory, router, calls = await self._routing(store, accounts, stack)
            watching = self._watching(router, players, door)
            follower.on_revoked(watching.revoked)
            waiters = await self._lobby(store, stack, accounts, follower, door, players, calls)
            self._play(accounts, follower, door, players, router, calls, watching)

            self.port = await self._server.start(serving=False)
            stack.push_async_callback(self._server.stop)
            process.keeper.keep("accounts", follower.run)
            process.keeper.keep("pairings", waiters.run)
            process.keeper.keep("watches", watching.tick)
            process.keeper.keep("watch-tokens", watching.expire)
            process.keeper.keep("watch-owners", lambda: watching.follow_owners(directory))
            # After the start: the server's reflection learns the messages of the engines that are found.
            await refresh(directory, store)
            process.keeper.keep("directory", lambda: follow(directory, store))
            self._server.health.set_serving(True)
            _log.info("gateway serves", port=self.port, games=[info.game for info in directory.games()])
            await process.stopping.wait()
            watching.shut_down()
            waiters.close()

    async def _routing(
        self, store: Client, accounts: Stored, stack: AsyncExitStack
    ) -> tuple[Directory, Router, EngineCalls]:
        settings = self._settings
        terms = Terms(
            await fleet_credential(store),
            settings,
            stall_s=settings.engine_stall_s,
            probe_s=settings.engine_probe_s,
            limit_s=settings.call_timeout_s,
            most_outstanding=settings.engine_calls,
        )
        directory = Directory(lambda told, lost: Replica(told, terms, lost), learn=self._learn)
        stack.push_async_callback(directory.close)
        # Calls may come before the first look at what is announced, and what was announced may have expired while the
        # store was away.
        directory.expect(await games_announced(store))
        games = MatchGames(lambda key, field: accounts.do("HGET", key, field))
        router = Router(directory, games, patience_s=settings.engine_patience_s)
        calls = EngineCalls(router, directory, games, timeout_ms=int(settings.call_timeout_s * 1000))
        return directory, router, calls

    def _watching(self, router: Router, players: Players, door: Doorkeeper) -> Watching:
        settings = self._settings
        return Watching(
            router,
            players,
            door,
            most_watchers=settings.watchers,
            most_of_one=settings.watchers_of_one,
            most_queued_bytes=settings.watcher_queue_bytes,
            budget=Budget(settings.watcher_queues_bytes),
        )

    async def _lobby(
        self,
        store: Client,
        stack: AsyncExitStack,
        accounts: Stored,
        follower: AccountFollower,
        door: Doorkeeper,
        players: Players,
        calls: EngineCalls,
    ) -> Waiters:
        catalogue, listing, queue = Catalogue(calls.list_games, calls.away), Listing(accounts), await Queue.open(store)
        stack.push_async_callback(queue.close)
        waiters = Waiters(queue)
        pairings = Pairings(queue, waiters, calls, catalogue, players, listing)
        seats = Seats(calls, catalogue, players, listing)
        lists = Lists(calls, players, listing, lambda: follower.ring.derived(PURPOSE))
        lobby = Lobby(catalogue, seats, lists, pairings)
        self._server.add(add_LobbyServiceServicer_to_server, lobby, doors=doors(door, LOBBY_SERVICE))
        return waiters

    def _play(
        self,
        accounts: Stored,
        follower: AccountFollower,
        door: Doorkeeper,
        players: Players,
        router: Router,
        calls: EngineCalls,
        watching: Watching,
    ) -> None:
        settings, server = self._settings, self._server
        play = Play(players, router, watching, timeout_ms=int(settings.call_timeout_s * 1000))
        guests = Accounts(accounts, follower, life_ms=settings.token_life_s * 1000)
        server.add(add_AccountServiceServicer_to_server, guests, doors=doors(door, ACCOUNT_SERVICE))
        server.add(add_PlayServiceServicer_to_server, play, doors=doors(door, PLAY_SERVICE))
        replay = Replay(players, router, calls)
        server.add(add_ReplayServiceServicer_to_server, replay, doors=doors(door, REPLAY_SERVICE))

    def _learn(self, descriptors: bytes) -> None:
        try:
            self._server.descriptors.add_file_descriptor_set(descriptors)
        except ValueError as error:
            _log.error("reflection cannot serve an engine's messages", problem=str(error))


def main() -> None:
    """Runs a gateway with the settings of the environment, and ends the program."""
    settings = load_or_exit(GatewaySettings)
    sys.exit(run("gateway", Gateway(settings).run, settings))
