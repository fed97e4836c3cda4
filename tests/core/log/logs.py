"""What the log's tests append."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from core.log.keys import match_id_for
from core.log.types import START, Append, Cursor, LogReader, Record


def match(name: str = "match", shard: int | None = None) -> str:
    """A match id; in that shard, if one is named."""
    number = 0
    while True:
        found = match_id_for(name, str(number))
        if shard is None or int(found[:2]) == shard:
            return found
        number += 1


def digest(seq: int, branch: str = "") -> bytes:
    """A state hash for a seq; another branch has others."""
    return hashlib.blake2b(f"{branch}/{seq}".encode(), digest_size=16).digest()


def record(seq: int, branch: str = "") -> Record:
    """A record as `append_after` makes it."""
    return Record(seq, f"event {branch}{seq} \r\n\0\xff".encode("latin-1"), digest(seq, branch))


def append_after(match_id: str, head: Cursor = START, count: int = 1, branch: str = "") -> Append:
    """The next records of a match after a head."""
    records = [record(head.seq + 1 + i, branch) for i in range(count)]
    return Append(match_id, head, [(r.event, r.hash) for r in records])


async def whole(reader: LogReader, match_id: str, after: int = 0) -> Sequence[Record]:
    """All that a reader gives."""
    return [record async for batch in reader.read(match_id, after) for record in batch]
