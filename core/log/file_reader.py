"""Reads a log from an exported file."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any

from hamle.error.v1.error_pb2 import REASON_LOG_CORRUPT, REASON_MATCH_NOT_FOUND

from core.errors import Refused
from core.log.export import VERSION, ExportHeader
from core.log.keys import is_match_id
from core.log.types import HASH_BYTES, START, Cursor, Record
from core.materials.naming import Material


class FileLogReader:
    """A `LogReader` over one exported file, read whole when opened; `materials` are those in it, digests not checked.

    OSError when the file cannot be read; `Refused` LOG_CORRUPT, with the number of the line, when it is no export.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        lines = _lines(path)
        first = next(lines, (1, b""))
        self.header = _header(path, *first)
        self.materials = _materials(path, *first)
        self._records: list[Record] = []
        for number, line in lines:
            self._records.append(_record(path, self.header.match_id, number, line, len(self._records) + 1))

    async def head(self, match_id: str) -> Cursor:
        """The last record's place; `START` when there is none. Raises `Refused` MATCH_NOT_FOUND for another match."""
        self._check(match_id)
        return Cursor(self._records[-1].seq, self._records[-1].hash) if self._records else START

    async def read(self, match_id: str, after: int = 0) -> AsyncIterator[Sequence[Record]]:
        """The records after a seq, in one batch. Raises `Refused` MATCH_NOT_FOUND for another match than the file's."""
        self._check(match_id)
        if after < len(self._records):
            yield self._records[after:]

    def _check(self, match_id: str) -> None:
        if match_id != self.header.match_id:
            raise Refused(
                REASON_MATCH_NOT_FOUND,
                f"{self._path} holds match {self.header.match_id}, not {match_id}.",
                {"match_id": match_id},
            )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        yield from enumerate(file, 1)


def _header(path: Path, number: int, line: bytes) -> ExportHeader:
    found = _object(path, "", number, line)
    if "hamle_log" not in found:
        raise _broken(path, "", number, 'the first line of an exported log has "hamle_log"; this is another file')
    if found["hamle_log"] != VERSION:
        raise _broken(path, "", number, f"its format is {found['hamle_log']!r}; this version reads format {VERSION}")
    texts = [found.get(name) for name in ExportHeader._fields]
    if not all(isinstance(text, str) and text for text in texts):
        raise _broken(path, "", number, f"the header needs the texts {', '.join(ExportHeader._fields)}")
    header = ExportHeader(*map(str, texts))
    if not is_match_id(header.match_id):
        raise _broken(path, "", number, f"{header.match_id!r} is not a match id")
    return header


def _materials(path: Path, number: int, line: bytes) -> list[Material]:
    listed = _object(path, "", number, line).get("materials", [])
    try:
        found = [Material(m["option"], m["value"], base64.b64decode(m["bytes"], validate=True)) for m in listed]
    except (KeyError, TypeError, ValueError, binascii.Error):
        found = [Material("", "", b"")]
    if not all(isinstance(m.option, str) and isinstance(m.value, str) and m.value for m in found):
        raise _broken(path, "", number, 'a material has the texts "option" and "value", and "bytes" in base64')
    return found


def _record(path: Path, match_id: str, number: int, line: bytes, seq: int) -> Record:
    found = _object(path, match_id, number, line)
    if found.get("seq") != seq or isinstance(found.get("seq"), bool):
        raise _broken(path, match_id, number, f"seq {seq} was expected, found {found.get('seq')!r}")
    try:
        digest = bytes.fromhex(found["hash"])
        event = base64.b64decode(found["event"], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        raise _broken(path, match_id, number, 'a record has "hash" in hex and "event" in base64') from None
    if len(digest) != HASH_BYTES:
        raise _broken(path, match_id, number, f"the hash has {len(digest)} bytes, not {HASH_BYTES}")
    return Record(seq, event, digest)


def _object(path: Path, match_id: str, number: int, line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        end = "" if line.endswith(b"\n") else "; the file seems to be cut off there"
        raise _broken(path, match_id, number, f"it is not JSON{end}") from None
    if not isinstance(found, dict):
        raise _broken(path, match_id, number, "it is not a JSON object")
    return found


def _broken(path: Path, match_id: str, number: int, what: str) -> Refused:
    metadata = {"match_id": match_id, "seq": str(number - 1)} if match_id else {}
    return Refused(REASON_LOG_CORRUPT, f"{path}, line {number}: {what}.", metadata)
