"""Writing drafts to logs; what they did is told only once the store has acknowledged it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from core.log.types import Appended, Conflict, TailLost, UnknownOutcome
from engines.kit.draft import Draft
from engines.kit.host.appending import Appender, append_of
from engines.kit.host.loss import Loss
from engines.kit.host.meters import Meters
from engines.kit.host.publish import lose, publish
from engines.kit.host.refusals import outcome_unknown
from engines.kit.host.warm import WarmCache, WarmMatch
from engines.kit.state import deadline_ms


class Writer:
    """Appends to the logs of locked matches.

    `appended` is called after each append with its match, for following the feed.
    """

    def __init__(
        self,
        appender: Appender,
        cache: WarmCache,
        appended: Callable[[WarmMatch, Appended], None],
        meters: Meters,
    ) -> None:
        self._appender = appender
        self._cache = cache
        self._appended = appended
        self._meters = meters

    async def append(
        self,
        match: WarmMatch,
        draft: Draft,
        copied: Sequence[tuple[bytes, bytes]] = (),
        *,
        accepts_loss: bool = False,
    ) -> Appended:
        """Appends a draft. For `copied` and `accepts_loss` see `append_of`.

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
            return lose(match, Loss(error.last_known, error.head))
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
        self._cache.put(match)
        began = time.perf_counter()
        publish(match, draft.steps)
        self._meters.publish.observe(time.perf_counter() - began)
        self._appended(match, appended)
