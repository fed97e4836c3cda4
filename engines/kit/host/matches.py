"""Matches of this replica: made warm from the log, brought up to date, appended to, and told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager

from core.errors import Refused
from core.log.keys import is_match_id
from core.log.losses import Losses
from core.log.types import Appended, Conflict, LogReader, Record, TailLost, UnknownOutcome
from core.process.shielded import shielded
from core.telemetry import logs
from engines.kit.draft import Draft
from engines.kit.fold import FoldedEvent
from engines.kit.history import History
from engines.kit.host.appending import Appender, append_of
from engines.kit.host.loss import Loss, given_up, log_lost_tail, shared_seq
from engines.kit.host.materials import Materials
from engines.kit.host.meters import Meters
from engines.kit.host.publish import end_all, publish
from engines.kit.host.refusals import log_corrupt, match_not_found, outcome_unknown
from engines.kit.host.warm import WarmCache, WarmMatch
from engines.kit.life import Status
from engines.kit.state import AnyGame, deadline_ms
from engines.kit.steps import FoldError

_log = logs.get_logger("hamle.engine")

_MARK_TRIES = 4
"""How often a loss is looked for anew because the log grew meanwhile; the next who asks goes on with it."""


class Matches:
    """All matches of this replica.

    `losses` keeps all replicas from playing over events that the store has forgotten. `appended` is called after each
    append with its match, for metrics and for following the feed. `materials` has what matches are played with; None:
    no game of these has materials.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        appender: Appender,
        reader: LogReader,
        cache: WarmCache,
        losses: Losses,
        appended: Callable[[WarmMatch, Draft, Appended], None],
        meters: Meters,
        materials: Materials | None = None,
    ) -> None:
        self.games = games
        self.cache = cache
        self.reader = reader
        self._appender = appender
        self._losses = losses
        self._appended = appended
        self._meters = meters
        self._materials = materials
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
        self.cache.put(match)
        self._meters.load.observe(time.perf_counter() - began)
        return match

    async def _read(self, match: WarmMatch) -> list[FoldedEvent]:
        """Folds what the log holds beyond the match's history, tells its watches batch by batch, and gives it."""
        history = match.history
        known = history.seq
        read: list[FoldedEvent] = []
        try:
            async for records in self.reader.read(match.match_id, known):
                await self._equip(history, records)
                batch = []
                for record in records:
                    event, before, folded = history.add(record)
                    batch.append(FoldedEvent(event, record.event, before, folded))
                match.recent.extend(batch)
                match.deadline = deadline_ms(history.game, history.state)
                publish(match, batch)
                read += batch
        except FoldError as error:
            refused = log_corrupt(match.match_id, error)
            raise (refused if known else self._drop(match.match_id, refused)) from error
        return read

    async def _equip(self, history: History, records: Sequence[Record]) -> None:
        if self._materials is not None and records[0].seq == 1:
            await self._materials.equip(history, records[0])

    async def past(self, match_id: str, history: History) -> AsyncGenerator[tuple[Record, FoldedEvent], None]:
        """Folds the records of a log that follow a history onto it, one by one. Raises LOG_CORRUPT."""
        try:
            async for records in self.reader.read(match_id, history.seq):
                await self._equip(history, records)
                for record in records:
                    event, before, folded = history.add(record)
                    yield record, FoldedEvent(event, record.event, before, folded)
        except FoldError as error:
            raise log_corrupt(match_id, error) from error

    async def catch_up(self, match: WarmMatch) -> None:
        """Brings a locked match up to the log's head and tells its watches; finds out a lost tail."""
        asked = time.monotonic()
        if match.suspect:
            await self._reread(match)
            return
        head = await self.reader.head(match.match_id)
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
        self._lose(match, Loss(known.seq, again.head))

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

    def _lose(self, match: WarmMatch, loss: Loss) -> Refused:
        """Nobody plays until an operator accepts the loss; gives the refusal that says so."""
        match.lost = loss
        match.suspect = False
        refused = log_lost_tail(loss)
        end_all(match, refused)
        return refused

    async def append(
        self,
        match: WarmMatch,
        draft: Draft,
        copied: Sequence[tuple[bytes, bytes]] = (),
        *,
        accepts_loss: bool = False,
    ) -> Appended:
        """Appends a draft to a locked match; what it did is told only once the store has acknowledged it.

        For `copied` and `accepts_loss` see `append_of`.

        Raises `Conflict` when the match is not at the log's head, `Refused` when the store did not take it, nobody
        knows whether it did, or events are lost that nobody has given up.
        """
        deadline = deadline_ms(draft.game, draft.state)
        # The answer may be read late, by a process that stood still; others may have written since then.
        sent = time.monotonic()
        try:
            appended = await self._appender.submit(append_of(match, draft, deadline, copied, accepts_loss=accepts_loss))
        except (Exception, asyncio.CancelledError) as error:
            raise self._not_appended(match, error) from None
        self._took(match, draft, deadline, sent, appended)
        return appended

    def append_soon(self, match: WarmMatch, draft: Draft, then: Callable[[Appended | BaseException], None]) -> None:
        """`append` without waiting: `then` is called with what it would give or raise. Until then the lock is held."""
        deadline = deadline_ms(draft.game, draft.state)
        sent = time.monotonic()

        def answered(result: Appended | Exception) -> None:
            if isinstance(result, Exception):
                then(self._not_appended(match, result))
                return
            try:
                self._took(match, draft, deadline, sent, result)
            except Exception as error:
                then(error)
            else:
                then(result)

        self._appender.send(append_of(match, draft, deadline), answered)

    def _not_appended(self, match: WarmMatch, error: BaseException) -> BaseException:
        """What an append that failed leaves of a match, and what its caller is told."""
        if isinstance(error, TailLost):
            return self._lose(match, Loss(error.last_known, error.head))
        if isinstance(error, Conflict):
            self._meters.conflict.inc()
        elif isinstance(error, UnknownOutcome):
            self._meters.unknown.inc()
            match.suspect = True
            return outcome_unknown()
        elif isinstance(error, asyncio.CancelledError):
            # Dropped while it waited, or carried out unheard.
            match.suspect = True
        return error

    def _took(self, match: WarmMatch, draft: Draft, deadline: int | None, sent: float, appended: Appended) -> None:
        """The store has the draft: the match goes on from it, and its watches are told."""
        self._meters.appended.inc()
        match.confirmed = sent
        match.history.take(draft.game, draft.steps)
        match.deadline = deadline
        match.recent.extend(draft.steps)
        self.cache.put(match)
        began = time.perf_counter()
        publish(match, draft.steps)
        self._meters.publish.observe(time.perf_counter() - began)
        self._appended(match, draft, appended)
