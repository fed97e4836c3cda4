"""Which engines run, and which of them a shard's calls go to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from hamle.engine.v1.engine_pb2 import Announcement
from hamle.error.v1.error_pb2 import REASON_ENGINE_UNAVAILABLE, REASON_GAME_UNKNOWN, REASON_RULES_UNAVAILABLE
from hamle.match.v1.match_pb2 import GameInfo

from core.errors import Refused
from core.fleet.rendezvous import owner
from core.process.keeper import TaskKeeper
from services.gateway.routing.games import Route
from services.gateway.routing.replica import Replica

RETRY_MS: Final = 500
_PROBE_EVERY_S: Final = 0.25
_GRACE_S: Final = 2.0
"""After a time in which the store could not be read, a replica that is missing is believed gone only so long after."""


class Directory:
    """The replicas that announce themselves, less those that do not answer.

    `connect` makes a `Replica` of an announcement and what to call when it becomes suspect.
    """

    def __init__(
        self,
        connect: Callable[[Announcement, Callable[[Replica], None]], Replica],
        *,
        learn: Callable[[bytes], None] = lambda descriptors: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._connect = connect
        self._learn = learn
        self._replicas: dict[str, Replica] = {}
        self._recovering: dict[str, asyncio.Task[None]] = {}
        self._owners: dict[Route, Replica] = {}
        self._served_until: dict[str, float] = {}
        self._blind = False
        self._sees_since = float("-inf")
        self._changed: asyncio.Future[None] = self._loop.create_future()
        self._keeper = TaskKeeper()
        self._closed = False

    def update(self, announcements: Iterable[Announcement]) -> None:
        """Takes what the store says now: new replicas are connected, those that are gone are let go."""
        if self._closed:
            return
        now = self._loop.time()
        if self._blind:
            self._blind, self._sees_since = False, now
        current = {announcement.replica: announcement for announcement in announcements}
        changed = False
        for name, announcement in current.items():
            known = self._replicas.get(name)
            if known is not None and known.announcement == announcement:
                continue
            changed = True
            if known is None:
                self._replicas[name] = self._connect(announcement, self._suspected)
                self._learn(announcement.descriptors)
            else:
                known.announcement = announcement
        if now - self._sees_since >= _GRACE_S:
            for name in self._replicas.keys() - current.keys():
                changed = True
                self._let_go(name)
        for replica in self._replicas.values():
            if not replica.suspect:
                self._served_until[replica.game] = now
        if changed:
            self._change()

    def expect(self, games: Iterable[str]) -> None:
        """Takes it that engines of these games run, although none has been seen yet."""
        for game in games:
            self._served_until.setdefault(game, self._loop.time())

    def expects(self, game: str) -> bool:
        """Whether engines of the game run, or did, so that it is only for the moment when none answers."""
        return game in self._served_until

    def blind(self) -> None:
        """The store cannot be read: what is known stays."""
        self._blind = True

    def owner(self, route: Route) -> Replica:
        """Whom a route's calls go to. Raises `Refused`: GAME_UNKNOWN, RULES_UNAVAILABLE, ENGINE_UNAVAILABLE."""
        found = self._owners.get(route)
        if found is None:
            candidates = self._candidates(route.game, route.rules)
            found = self._owners[route] = candidates[owner(route.shard, candidates)]
        return found

    def games(self) -> list[GameInfo]:
        """The games that engines run now, by name; of several replicas the one with the newest rules speaks."""
        infos: dict[str, GameInfo] = {}
        for replica in self._usable(self._replicas.values()):
            info = replica.announcement.info
            known = infos.get(info.game)
            if known is None or len(info.rules) > len(known.rules):
                infos[info.game] = info
        return [infos[game] for game in sorted(infos)]

    def served_until(self, game: str) -> float:
        """The loop's time at which a replica of the game was last usable; minus infinity: never."""
        return self._served_until.get(game, float("-inf"))

    async def changed(self, timeout_s: float) -> None:
        """Waits until something about the replicas changes, but no longer than that."""
        await asyncio.wait([self._changed], timeout=timeout_s)

    async def close(self) -> None:
        """Lets go of all replicas, for good: the announcements may be followed for a moment longer."""
        self._closed = True
        replicas, self._replicas = list(self._replicas.values()), {}
        self._change()
        await self._keeper.close()
        await asyncio.gather(*(replica.close() for replica in replicas))

    def _candidates(self, game: str, rules: str | None) -> dict[str, Replica]:
        of_game = [replica for replica in self._replicas.values() if replica.game == game]
        if not of_game and not self.expects(game):
            games = ", ".join(sorted(self._served_until)) or "none"
            raise Refused(
                REASON_GAME_UNKNOWN,
                f"no engine runs the game {game[:40]!r}; there are: {games}. ListGames lists them",
                {"game": game[:40], "games": games},
            )
        usable = self._usable(of_game)
        if not usable:
            raise nobody_answers(game)
        fitting = [replica for replica in usable if replica.runs(rules)]
        if not fitting:
            raise Refused(
                REASON_RULES_UNAVAILABLE,
                f"no running engine knows the rules version {rules}; tell the operator",
                {"rules": rules or ""},
                retry_after_ms=RETRY_MS,
            )
        return {replica.id: replica for replica in fitting}

    @staticmethod
    def _usable(replicas: Iterable[Replica]) -> list[Replica]:
        answering = [replica for replica in replicas if not replica.suspect]
        return [replica for replica in answering if not replica.draining] or answering

    def _let_go(self, name: str) -> None:
        # Nobody may ask over a channel that is being closed.
        recovering = self._recovering.pop(name, None)
        if recovering is not None:
            recovering.cancel()
        self._keeper.keep("engine-close", self._replicas.pop(name).close)

    def _suspected(self, replica: Replica) -> None:
        if self._replicas.get(replica.id) is replica:
            self._served_until[replica.game] = self._loop.time()
            self._recovering[replica.id] = self._keeper.keep("engine-recover", lambda: self._recover(replica))
        self._change()

    async def _recover(self, replica: Replica) -> None:
        while self._replicas.get(replica.id) is replica:
            await asyncio.sleep(_PROBE_EVERY_S)
            if await replica.alive():
                self._recovering.pop(replica.id, None)
                replica.trust()
                self._change()
                return

    def _change(self) -> None:
        self._owners.clear()
        changed, self._changed = self._changed, self._loop.create_future()
        changed.set_result(None)


def nobody_answers(game: str) -> Refused:
    """ENGINE_UNAVAILABLE, of a game whose engines are away."""
    return Refused(
        REASON_ENGINE_UNAVAILABLE,
        f"no engine answers for the game {game} now; retry with the same request id",
        {"game": game},
        retry_after_ms=RETRY_MS,
    )
