"""Reads a log from an exported file."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from hamle.error.v1.error_pb2 import REASON_LOG_CORRUPT, REASON_MATCH_NOT_FOUND

from core.errors import Refused
from core.log.export import VERSION, Damage, ExportHeader
from core.log.keys import is_match_id
from core.log.types import HASH_BYTES, START, Cursor, Record
from core.materials.naming import Material


class FileLog(NamedTuple):
    """What a file holds as far as it is an export: up to its end or, when there is `damage`, to the line before.

    `first` and `lines` are the lines as JSON: the header's, and one a record, for what more stands in them. The digests
    of the `materials` are not checked.
    """

    header: ExportHeader
    materials: list[Material]
    first: dict[str, Any]
    records: list[Record]
    lines: list[dict[str, Any]]
    damage: Damage | None


def read_file(path: Path) -> FileLog:
    """Reads a file as far as it is an export.

    OSError when it cannot be read; `Refused` LOG_CORRUPT when its first line is not the one of an export.
    """
    with path.open("rb") as file:
        lines = enumerate(file, 1)
        _, line = next(lines, (1, b""))
        try:
            first = _object(line)
            log = FileLog(_header(first), _materials(first), first, [], [], None)
        except _Wrong as wrong:
            raise broken(path, Damage(1, 0, *wrong.args)) from None
        for number, line in lines:
            seq = len(log.records) + 1
            try:
                found = _object(line)
                log.records.append(_record(found, seq))
                log.lines.append(found)
            except _Wrong as wrong:
                return log._replace(damage=Damage(number, seq, *wrong.args))
    return log


def broken(path: Path, damage: Damage, match_id: str = "") -> Refused:
    """The refusal of a damaged file."""
    metadata = {"match_id": match_id, "seq": str(damage.seq)} if match_id else {}
    return Refused(REASON_LOG_CORRUPT, f"{path}, {damage}.", metadata)


class FileLogReader:
    """A `LogReader` over one exported file, read whole when opened; `materials` are those in it, digests not checked.

    OSError when the file cannot be read; `Refused` LOG_CORRUPT, with the number of the line, when it is no export or
    a damaged one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        log = read_file(path)
        self.header, self.materials, self._records = log.header, log.materials, log.records
        if log.damage is not None:
            raise broken(path, log.damage, self.header.match_id)

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


class _Wrong(Exception):
    """What is wrong with a line, what was expected, what was found."""


def _header(found: dict[str, Any]) -> ExportHeader:
    if "hamle_log" not in found:
        raise _Wrong("this is another file", '"hamle_log" in the first line of an exported log', "none")
    if found["hamle_log"] != VERSION:
        raise _Wrong("this version does not read its format", f"format {VERSION}", repr(found["hamle_log"]))
    texts = [found.get(name) for name in ExportHeader._fields]
    if not all(isinstance(text, str) and text for text in texts):
        raise _Wrong("the header lacks something", f"the texts {', '.join(ExportHeader._fields)}", repr(texts))
    header = ExportHeader(*map(str, texts))
    if not is_match_id(header.match_id):
        raise _Wrong("it does not name a match", "a match id", repr(header.match_id))
    return header


def _materials(first: dict[str, Any]) -> list[Material]:
    listed = first.get("materials", [])
    try:
        found = [Material(m["option"], m["value"], base64.b64decode(m["bytes"], validate=True)) for m in listed]
    except (KeyError, TypeError, ValueError, binascii.Error):
        found = [Material("", "", b"")]
    if not all(isinstance(m.option, str) and isinstance(m.value, str) and m.value for m in found):
        expected = 'the texts "option" and "value", and "bytes" in base64'
        raise _Wrong("a material is not one", expected, "something else")
    return found


def _record(found: dict[str, Any], seq: int) -> Record:
    if found.get("seq") != seq or isinstance(found.get("seq"), bool):
        raise _Wrong("it is not the next record", f"seq {seq}", _shown(found.get("seq")))
    try:
        digest = bytes.fromhex(found["hash"])
        event = base64.b64decode(found["event"], validate=True)
    except (KeyError, TypeError, ValueError, binascii.Error):
        raise _Wrong("it is not a record", '"hash" in hex and "event" in base64', "something else") from None
    if len(digest) != HASH_BYTES:
        raise _Wrong("its hash is none", f"{HASH_BYTES} bytes", f"{len(digest)}")
    return Record(seq, event, digest)


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        end = "" if line.endswith(b"\n") else "; the file seems to be cut off there"
        raise _Wrong(f"it is not JSON{end}", "a JSON object", f"{len(line)} bytes of something else") from None
    if not isinstance(found, dict):
        raise _Wrong("it is not a JSON object", "a JSON object", type(found).__name__)
    return found


def _shown(seq: object) -> str:
    return "none" if seq is None else f"seq {seq!r:.40}"
