"""From a match to the engine that answers for it, also when that engine dies in mid-call.

Every call that changes something carries a request id, so a call whose engine was lost is asked of the next owner: if
it was done before, the answer is that of the first time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from hamle.error.v1.error_pb2 import (
    REASON_ENGINE_UNAVAILABLE,
    REASON_OVERLOADED,
    REASON_RULES_UNAVAILABLE,
    REASON_SHUTTING_DOWN,
)

from core.errors import Refused
from core.log.keys import shard_of
from core.telemetry import logs
from services.gateway.exchange.lost import ConnectionLost
from services.gateway.routing.directory import RETRY_MS, Directory
from services.gateway.routing.games import MatchGames, Route
from services.gateway.routing.replica import Replica

T = TypeVar("T")

_TRIES: Final = 16
_PAUSE_S: Final = 0.05
_ELSEWHERE: Final = frozenset({REASON_SHUTTING_DOWN, REASON_ENGINE_UNAVAILABLE})
_log = logs.get_logger("hamle.gateway")


class Router:
    """Finds the replica that owns a match, and asks again elsewhere when it is lost.

    `patience_s`: how long calls wait for a new owner after a game's last replica is gone; `most_waiting` of them at a
    time.
    """

    def __init__(
        self, directory: Directory, games: MatchGames, *, patience_s: float = 4.0, most_waiting: int = 4096
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._directory = directory
        self._games = games
        self._patience_s = patience_s
        self._most_waiting = most_waiting
        self._waiting = 0

    async def ask(self, match_id: str, payload: bytes, timeout_ms: int) -> bytes:
        """The bytes of the answer to a call about a match; `payload` is made by `exchange.wire.payload`.

        Raises `Refused`: MATCH_NOT_FOUND, STORE_DOWN, ENGINE_UNAVAILABLE, RULES_UNAVAILABLE, OVERLOADED,
        DEADLINE_EXPIRED, and what the engine refuses with.
        """
        route = self._games.known(match_id) or await self._look_up(match_id)
        try:
            return await self._directory.owner(route).exchange().ask(payload, timeout_ms)
        except (ConnectionLost, Refused) as failure:
            if not self.elsewhere(match_id, failure):
                raise
            return await self._again(
                match_id,
                lambda replica, left_ms: replica.exchange().ask(payload, left_ms),
                self._loop.time() + timeout_ms / 1000,
                failure,
            )

    def knows(self, match_id: str) -> bool:
        """Whether there is such a match, as far as is known without asking the store."""
        return self._games.known(match_id) is not None

    def owns(self, replica: Replica, match_id: str) -> bool:
        """Whether the replica is still the match's owner, or at least nobody else is."""
        route = self._games.known(match_id)
        if route is None:
            return True
        try:
            return self._directory.owner(route) is replica
        except Refused:
            return True

    async def game_of(self, match_id: str) -> str:
        """The match's game. Raises `Refused`: MATCH_NOT_FOUND, STORE_DOWN."""
        return (await self._route(match_id)).game

    async def call(
        self, match_id: str, timeout_ms: int, ask: Callable[[Replica, int], Awaitable[T]], *, game: str | None = None
    ) -> T:
        """What `ask(replica, milliseconds left)` gives, tried at the next owner when a replica is lost.

        `game`: of a match that does not exist yet. Raises like `Router.ask`, and GAME_UNKNOWN.
        """
        return await self._again(match_id, ask, self._loop.time() + timeout_ms / 1000, None, game)

    async def replica_for(self, match_id: str, timeout_ms: int) -> Replica:
        """The match's owner, waited for when there is none at the moment. Raises like `Router.ask`."""

        async def itself(replica: Replica, left_ms: int) -> Replica:
            return replica

        return await self.call(match_id, timeout_ms, itself)

    async def _again(
        self,
        match_id: str,
        ask: Callable[[Replica, int], Awaitable[T]],
        deadline: float,
        failure: ConnectionLost | Refused | None,
        game: str | None = None,
    ) -> T:
        for tries in range(_TRIES):
            if failure is not None:
                _log.debug("asking the next engine", match_id=match_id, why=str(failure), tries=tries)
            if tries:
                await asyncio.sleep(_PAUSE_S)
            replica = await self._owner(match_id, game, deadline)
            left_ms = int((deadline - self._loop.time()) * 1000)
            if left_ms <= 0:
                break
            try:
                return await ask(replica, left_ms)
            except (ConnectionLost, Refused) as error:
                if not self.elsewhere(match_id, error):
                    raise
                failure = error
        raise failure if isinstance(failure, Refused) else unavailable()

    def elsewhere(self, match_id: str, failure: ConnectionLost | Refused) -> bool:
        """Whether another replica may do what failed here; takes note of the rules version that the match needs."""
        if isinstance(failure, ConnectionLost) or failure.reason in _ELSEWHERE:
            return True
        if failure.reason != REASON_RULES_UNAVAILABLE:
            return False
        route, rules = self._games.known(match_id), failure.metadata.get("rules", "")
        if route is None or not rules or route.rules == rules:
            return False
        self._games.pin(match_id, route.game, rules)
        return True

    async def _owner(self, match_id: str, game: str | None, deadline: float) -> Replica:
        route = await self._route(match_id) if game is None else Route(game, shard_of(match_id))
        while True:
            try:
                return self._directory.owner(route)
            except Refused as refused:
                until = min(deadline, self._directory.served_until(route.game) + self._patience_s)
                if refused.reason != REASON_ENGINE_UNAVAILABLE or self._loop.time() >= until:
                    raise
                await self._wait(until - self._loop.time())

    async def _route(self, match_id: str) -> Route:
        return self._games.known(match_id) or await self._look_up(match_id)

    async def _look_up(self, match_id: str) -> Route:
        route = await self._games.look_up(match_id)
        # Another gateway may have made the match with an engine that this one has not seen yet.
        self._directory.expect([route.game])
        return route

    async def _wait(self, timeout_s: float) -> None:
        if self._waiting >= self._most_waiting:
            raise Refused(
                REASON_OVERLOADED,
                "too many calls wait for the game's engine; try again after the delay",
                retry_after_ms=RETRY_MS,
            )
        self._waiting += 1
        try:
            await self._directory.changed(timeout_s)
        finally:
            self._waiting -= 1


def unavailable() -> Refused:
    """ENGINE_UNAVAILABLE, for a call that may have been done."""
    return Refused(
        REASON_ENGINE_UNAVAILABLE,
        "the game's engine was lost in mid-call and no other has answered; whether it was done is unknown: retry with "
        "the same request id",
        retry_after_ms=RETRY_MS,
    )
