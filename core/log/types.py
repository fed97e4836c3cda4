"""What the log keeps and what it answers; no IO here."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from enum import IntEnum
from typing import NamedTuple, Protocol

HASH_BYTES = 16


class Cursor(NamedTuple):
    """A place in one particular history: the event `seq` (0: before the first), and the state hash after it."""

    seq: int
    hash: bytes = b""


START = Cursor(0, b"")


class Record(NamedTuple):
    """One record of a log: its seq, the raw bytes of the event and the state hash after it (16 bytes)."""

    seq: int
    event: bytes
    hash: bytes


class Durability(IntEnum):
    """What the store had done with an append before it answered; numbers as in `hamle.match.v1.Durability`."""

    WRITTEN = 1
    FSYNCED = 2


class Append(NamedTuple):
    """Records to add to a match's log, all or nothing, right after `expected`.

    `records` are (event bytes, state hash) pairs. `deadline_ms` sets the match's entry among the shard's deadlines,
    0 removes it, None leaves it. `listing` sets the match's entry in the shard's list of public matches, empty bytes
    remove it, None leaves it. `expire_s` > 0 lets the whole log vanish after so many seconds: only for matches that
    never started. `accepts_loss`: the records say that forgotten events are given up, so the log's mark of a loss goes.
    """

    match_id: str
    expected: Cursor
    records: Sequence[tuple[bytes, bytes]]
    deadline_ms: int | None = None
    listing: bytes | None = None
    expire_s: int = 0
    accepts_loss: bool = False


class Appended(NamedTuple):
    """The append is in the log. `feed` is its position in its shard's feed: 1, 2, 3, without gaps."""

    head: Cursor
    durability: Durability
    feed: int


class FeedEntry(NamedTuple):
    """One append as its shard's feed tells it: position, match, and the head after it."""

    position: int
    match_id: str
    head: Cursor


class Conflict(Exception):
    """The log's head is not what the append builds on; nothing was added. `head` is what is stored."""

    def __init__(self, head: Cursor) -> None:
        super().__init__(f"the head is at seq {head.seq}")
        self.head = head


class TailLost(Exception):
    """Acknowledged events of the log are lost, and nobody has accepted that yet; nothing was added.

    `head` is what is stored; `last_known` is the last event that is known to have been acknowledged.
    """

    def __init__(self, head: Cursor, last_known: int) -> None:
        super().__init__(f"the head is at seq {head.seq}, but seq {last_known} was acknowledged")
        self.head = head
        self.last_known = last_known


class UnknownOutcome(Exception):
    """The store was lost in mid-append: the records may be in the log or not. Read it again."""


class LogReader(Protocol):
    """Reads logs, wherever they are kept."""

    async def head(self, match_id: str) -> Cursor:
        """The last record's place; `START` when there is no such log."""
        ...

    def read(self, match_id: str, after: int = 0) -> AsyncIterator[Sequence[Record]]:
        """The records after a seq, in order and without gaps, in batches, up to the head at the time of reading."""
        ...
