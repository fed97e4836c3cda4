"""Matches of this replica: made warm from the log, and brought up to date with it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from core.errors import Refused
from core.log.keys import is_match_id
from core.log.losses import Losses
from core.process.shielded import shielded
from core.telemetry import logs
from engines.kit.fold import FoldedEvent
from engines.kit.history import History
from engines.kit.host.loss import Loss, given_up, log_lost_tail, shared_seq
from engines.kit.host.meters import Meters
from engines.kit.host.publish import end_all, lose, publish
from engines.kit.host.records import Records
from engines.kit.host.refusals import log_corrupt, match_not_found
from engines.kit.host.warm import WarmCache, WarmMatch
from engines.kit.life import Status
from engines.kit.state import AnyGame
from engines.kit.steps import FoldError

_log = logs.get_logger("hamle.engine")

_MARK_TRIES = 4
"""How often a loss is looked for anew because the log grew meanwhile; the next who asks goes on with it."""


class Matches:
    """All matches of this replica.

    `losses` keeps all replicas from playing over events that the store has forgotten.
    """

    def __init__(
        self, games: Mapping[str, AnyGame], records: Records, cache: WarmCache, losses: Losses, meters: Meters
    ) -> None:
        self.games = games
        self.records = records
        self.cache = cache
        self._losses = losses
        self._meters = meters
        self._loading: dict[str, asyncio.Task[WarmMatch]] = {}

    async def get(self, match_id: str) -> WarmMatch:
        """The match, folded from its log when it is not warm. Raises MATCH_NOT_FOUND, LOG_CORRUPT."""
        match = self.cache.get(match_id)
        if match is not None:
            self._meters.hit.inc()
            return match
        self._meters.miss.inc()
        loading = self._loading.get(match_id)
        if loading is None:
            if not is_match_id(match_id):
                raise match_not_found(match_id)
            loading = asyncio.create_task(self._load(match_id), name=f"load {match_id}")
            self._loading[match_id] = loading
            loading.add_done_callback(lambda _: self._loading.pop(match_id, None))
        # Shielded: others may wait for the same load.
        return await shielded(loading)

    @asynccontextmanager
    async def locked(self, match_id: str) -> AsyncIterator[WarmMatch]:
        """The match with its lock held. Raises as `get`.

        It may have been thrown out since `get`, and been made warm anew: of the two only one is told what happens.
        """
        while True:
            match = await self.get(match_id)
            async with match.lock:
                if self.cache.holds(match):
                    yield match
                    return

    async def _load(self, match_id: str) -> WarmMatch:
        began = time.perf_counter()
        match = WarmMatch(match_id, History(self.games))
        await self._read(match)
        if match.history.seq == 0:
            raise match_not_found(match_id)
        kept = self.cache.get(match_id)
        if kept is not None:
            # Put back meanwhile by who still held it: whatever watches came are there.
            return kept
        self.cache.put(match)
        self._meters.load.observe(time.perf_counter() - began)
        return match

    async def _read(self, match: WarmMatch) -> list[FoldedEvent]:
        """Folds what the log holds beyond the match. Raises LOG_CORRUPT; a match that had nothing yet is forgotten."""
        known = match.history.seq
        try:
            return await self.records.read(match)
        except FoldError as error:
            refused = log_corrupt(match.match_id, error)
            raise (refused if known else self._drop(match.match_id, refused)) from error

    async def catch_up(self, match: WarmMatch) -> None:
        """Brings a locked match up to the log's head and tells its watches; finds out a lost tail."""
        asked = time.monotonic()
        if match.suspect:
            await self._reread(match)
            return
        head = await self.records.reader.head(match.match_id)
        if match.lost is not None:
            # Whoever accepts the loss appends to the log.
            if head != match.lost.head:
                await self._reread(match)
            return
        history = match.history
        if head.seq < history.seq or (head.seq == history.seq and head.hash != history.hash):
            await self._reread(match)
            return
        if head.seq > history.seq:
            try:
                await self._read(match)
            except Refused:
                # Another history goes on where ours ended: either the log is corrupt, or it lost its tail and was
                # played over. The latter leaves another hash at the seq that we know.
                await self._reread(match)
                return
            self.cache.resize(match)
        # Not before: whoever reads does not wait for the lock of a match that is known to be at the head.
        match.confirmed = asked

    async def _reread(self, match: WarmMatch) -> None:
        """Folds the whole log anew, for a match of which the memory may be wrong."""
        known = match.history
        for _ in range(_MARK_TRIES):
            fresh = WarmMatch(match.match_id, History(self.games))
            read = await self._read(fresh)
            again = fresh.history
            if not again.seq and known.state.life.status is Status.CANCELLED:
                # It never started, and has vanished as it was told to: nothing is lost.
                raise self._drop(match.match_id, match_not_found(match.match_id))
            shared = shared_seq(known, again)
            if shared == known.seq or given_up(again, shared):
                self._adopt(match, fresh, read)
                return
            if not again.seq or await self._losses.mark(match.match_id, again.head, known.seq):
                break
        _log.error("log lost its tail", match_id=match.match_id, shared_seq=shared, known_seq=known.seq)
        self.cache.put(match)
        lose(match, Loss(known.seq, again.head))

    async def forget(self, match: WarmMatch) -> int:
        """Takes the log as it is for a locked match, whatever was known before: an operator said so.

        Gives the last event that is known to be lost; 0 when nobody knows of a loss.
        """
        await self.catch_up(match)
        known = await self._losses.last_known(match.match_id)
        if match.lost is not None:
            known = max(known, match.lost.last_known)
        fresh = WarmMatch(match.match_id, History(self.games))
        read = await self._read(fresh)
        if fresh.history.seq == 0:
            raise match_not_found(match.match_id)
        self._adopt(match, fresh, read)
        return known

    def _adopt(self, match: WarmMatch, fresh: WarmMatch, read: list[FoldedEvent]) -> None:
        """Goes on with the log as it was just read; watches that were told another history end."""
        known, again = match.history, fresh.history
        match.history, match.recent, match.deadline = again, fresh.recent, fresh.deadline
        match.suspect, match.lost = False, None
        self.cache.put(match)
        if shared_seq(known, again) == known.seq:
            publish(match, [recent for recent in read if recent.cursor.seq > known.seq])
        else:
            end_all(match, log_lost_tail(Loss(known.seq, again.head)))

    def _drop(self, match_id: str, refused: Refused) -> Refused:
        """Forgets a match that cannot go on, and tells its watches why; gives the refusal."""
        match = self.cache.get(match_id)
        if match is not None:
            self.cache.drop(match_id)
            end_all(match, refused)
        return refused
