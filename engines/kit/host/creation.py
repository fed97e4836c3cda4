"""How matches come about: created by the game that knows the materials which their options name, or forked."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.match.v1 import match_pb2

from core.errors import Refused
from core.fairness.secret import new_secret
from core.log.types import Conflict, Durability
from engines.kit.create import create, create_asked, fork, fork_asked, require_forkable
from engines.kit.decide import repeated
from engines.kit.fields import require_match_id
from engines.kit.history import History
from engines.kit.host.matches import Matches
from engines.kit.host.materials import Materials
from engines.kit.host.refusals import seq_out_of_range
from engines.kit.host.warm import WarmMatch
from engines.kit.host.writing import Writer
from engines.kit.materials import unknown, with_materials
from engines.kit.requests import Asked
from engines.kit.state import AnyGame
from engines.kit.told import match_proto


class Creation:
    """Creates and forks matches.

    `durability` is what the store promises; `now_ms` tells the store's time. A match that has not started
    `start_within_ms` after its creation is over.
    """

    def __init__(
        self,
        materials: Materials,
        matches: Matches,
        writer: Writer,
        durability: Durability,
        now_ms: Callable[[], int],
        start_within_ms: int,
    ) -> None:
        self._materials = materials
        self._matches = matches
        self._writer = writer
        self._durability = durability
        self._now_ms = now_ms
        self._start_within_ms = start_within_ms

    async def create(self, request: engine_pb2.CreateMatchRequest) -> engine_pb2.CreateMatchResponse:
        """Creates a match under the id that the caller derived, or gives the one that an earlier call created.

        A material that was added a moment ago is known too.
        """
        materials = self._materials
        if unknown(materials.game.info, request.options):
            await materials.refresh()
        game = materials.game
        asked = unknown(game.info, request.options)
        if asked and await self._exists(request.match_id):
            # A repeated call gets its first answer, though the material has been withdrawn since.
            game = with_materials(game, [await materials.fetch(*pair) for pair in asked])
        return await self._create(game, request)

    async def _exists(self, match_id: str) -> bool:
        try:
            await self._matches.get(match_id)
        except Refused as refused:
            if refused.reason == error_pb2.REASON_MATCH_NOT_FOUND:
                return False
            raise
        return True

    async def _create(self, game: AnyGame, request: engine_pb2.CreateMatchRequest) -> engine_pb2.CreateMatchResponse:
        require_match_id(request.match_id)
        draft = create(game, request, new_secret(), self._now_ms(), self._start_within_ms)
        match = WarmMatch(request.match_id, History(self._matches.games))
        async with match.lock:
            try:
                appended = await self._writer.append(match, draft)
            except Conflict:
                return await self._created_before(request.match_id, create_asked(request))
        return engine_pb2.CreateMatchResponse(
            match=match_proto(match.match_id, draft.state, draft.hash),
            durability=match_pb2.Durability.ValueType(appended.durability),
        )

    async def _created_before(self, match_id: str, call: Asked) -> engine_pb2.CreateMatchResponse:
        """The answer to a repeated creation: the match as it is now. Raises REQUEST_ID_REUSED."""
        async with self._matches.locked(match_id) as match:
            await self._matches.catch_up(match)
            history = match.history
            if repeated(history.done, call) is None:
                raise Refused(
                    error_pb2.REASON_REQUEST_ID_REUSED,
                    "The request id was used before for another match. Take a new id for a new request.",
                )
            return engine_pb2.CreateMatchResponse(
                match=match_proto(match_id, history.state, history.hash),
                durability=match_pb2.Durability.ValueType(self._durability),
            )

    async def fork(self, request: engine_pb2.ForkMatchRequest) -> engine_pb2.ForkMatchResponse:
        """Copies the parent's events up to a seq, byte for byte, and goes on from there as a new match."""
        require_match_id(request.match_id)
        async with self._matches.locked(request.parent) as parent:
            await self._matches.catch_up(parent)
            head = parent.history.state
        if not 1 <= request.seq <= head.seq:
            raise seq_out_of_range(request.seq, head.seq)
        history = History(self._matches.games)
        records = []
        async with aclosing(self._matches.records.past(request.parent, history)) as past:
            async for record, _ in past:
                records.append((record.event, record.hash))
                if record.seq == request.seq:
                    break
        require_forkable(history.game, head, history.state)
        known_to = head.life.seat_of(request.parent_handle)
        draft = fork(history.game, request, history.state, history.hash, known_to, new_secret(), self._now_ms())
        match = WarmMatch(request.match_id, history)
        async with match.lock:
            try:
                appended = await self._writer.append(match, draft, records)
            except Conflict:
                answer = await self._created_before(request.match_id, fork_asked(request))
                return engine_pb2.ForkMatchResponse(match=answer.match, durability=answer.durability)
        return engine_pb2.ForkMatchResponse(
            match=match_proto(match.match_id, draft.state, draft.hash),
            durability=match_pb2.Durability.ValueType(appended.durability),
        )
