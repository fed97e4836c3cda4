"""A draft as the append that writes it, and what takes that."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from core.log.types import START, Append, Appended
from engines.kit.draft import Draft
from engines.kit.host.warm import WarmMatch
from engines.kit.life import Status
from engines.kit.told import listing

CANCELLED_KEPT_S: Final = 24 * 3600
"""How long the log of a match that never started is kept."""


class Appender(Protocol):
    """What the host needs of the log's appender."""

    def submit(self, append: Append) -> asyncio.Future[Appended]:
        """Queues an append; see `core.log.appender.Appender`."""
        ...

    def send(self, append: Append, then: Callable[[Appended | Exception], None]) -> None:
        """The same for who does not wait."""
        ...


def append_of(
    match: WarmMatch,
    draft: Draft,
    deadline: int | None,
    copied: Sequence[tuple[bytes, bytes]] = (),
    *,
    accepts_loss: bool = False,
) -> Append:
    """The append of a draft and the match's new deadline.

    `copied` are the (event bytes, hash) pairs of a fork's copied events, which go before the draft into an empty log.
    `accepts_loss`: the draft says that lost events are given up. The deadline is set anew then: the timekeeper has put
    it off.
    """
    life = draft.state.life
    before = draft.steps[0].before
    listed = None
    if before is None or before.life is not life:
        listed = listing(match.match_id, draft.state, draft.hash)
    return Append(
        match.match_id,
        START if copied else draft.base,
        [*copied, *[(step.raw, step.folded.hash) for step in draft.steps]],
        None if deadline == match.deadline and before is not None and not accepts_loss else deadline or 0,
        listed,
        CANCELLED_KEPT_S if life.status is Status.CANCELLED else 0,
        accepts_loss,
    )
