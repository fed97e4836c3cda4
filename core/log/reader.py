"""Reads logs from the store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final

from hamle.error.v1.error_pb2 import REASON_LOG_CORRUPT

from core.errors import Refused
from core.log.keys import log_key
from core.log.types import HASH_BYTES, START, Cursor, Record
from core.store.client import Client
from core.store.errors import store_errors
from core.store.round_trip import ask_all, told

BATCH: Final = 512

Entry = tuple[bytes, dict[bytes, bytes]]


class RedisLogReader:
    """A `LogReader` over the store. Raises `Refused`: STORE_DOWN, or LOG_CORRUPT at a gap or a malformed record."""

    def __init__(self, client: Client, *, batch: int = BATCH) -> None:
        self._client: Any = client
        self._batch = batch

    async def head(self, match_id: str) -> Cursor:
        """The last record's place; `START` when there is no such log."""
        with store_errors():
            return _head(match_id, await self._client.xrevrange(log_key(match_id), count=1))

    async def heads(self, match_ids: Sequence[str]) -> Mapping[str, Cursor]:
        """The heads of many logs in one round trip; those whose master is away are missing, unless all are.

        Raises STORE_DOWN alone: a last record that is malformed is told by what place it has, for `head` to refuse.
        """
        asked = [("XREVRANGE", log_key(match_id), "+", "-", "COUNT", 1) for match_id in match_ids]
        found, silent = told(match_ids, await ask_all(self._client, asked))
        if silent is not None and not found:
            raise silent
        return {match_id: _place(entries) for match_id, entries in found.items()}

    async def read(self, match_id: str, after: int = 0) -> AsyncIterator[Sequence[Record]]:
        """The records after a seq, in order and without gaps, in batches, up to the head at the time of reading."""
        key = log_key(match_id)
        while True:
            with store_errors():
                entries = await self._client.xrange(key, min=f"({after}-0", count=self._batch)
            if not entries:
                return
            records = [_record(match_id, entry) for entry in entries]
            for record in records:
                if record.seq != after + 1:
                    raise corrupt(match_id, after + 1, f"seq {after + 1} is missing, seq {record.seq} follows")
                after = record.seq
            yield records
            if len(records) < self._batch:
                return


def _place(entries: Sequence[Entry]) -> Cursor:
    if not entries:
        return START
    entry_id, fields = entries[0]
    return Cursor(int(entry_id.partition(b"-")[0]), fields.get(b"h", b""))


def _head(match_id: str, entries: Sequence[Entry]) -> Cursor:
    if not entries:
        return START
    record = _record(match_id, entries[0])
    return Cursor(record.seq, record.hash)


def _record(match_id: str, entry: Entry) -> Record:
    entry_id, fields = entry
    seq, _, rest = entry_id.partition(b"-")
    event, digest = fields.get(b"e"), fields.get(b"h")
    if rest != b"0" or event is None or digest is None or len(digest) != HASH_BYTES:
        raise corrupt(match_id, int(seq), f"the record at seq {int(seq)} is malformed")
    return Record(int(seq), event, digest)


def corrupt(match_id: str, seq: int, what: str) -> Refused:
    """LOG_CORRUPT."""
    return Refused(
        REASON_LOG_CORRUPT,
        f"The log of match {match_id} is broken: {what}. Play stops; tell the operator.",
        {"match_id": match_id, "seq": str(seq)},
    )
