"""Logs as files: the lines of `core.log.export`, each with the canonical state beside it, so that `verify` can say
field by field what differs.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterable, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from hamle_client import Record as Exported

from cli.errors import Stop
from core.log.export import ExportHeader, header_line, record_lines
from core.log.file_reader import FileLogReader
from core.log.types import Record
from core.materials.naming import Material
from engines.kit import verify


class LogFile(NamedTuple):
    """A log read from a file. A `redacted` one, of a match that was still live, cannot be verified.

    `materials` are the files that the match was played with, as they stand there.
    """

    header: ExportHeader
    records: list[verify.Exported]
    redacted: bool
    materials: list[Material]


async def write(stream: TextIO, header: ExportHeader, records: AsyncIterable[Exported]) -> int:
    """Writes a log and tells how many records it has."""
    count = 0
    async for record in records:
        if count == 0:
            materials = [Material(each.option, each.value, each.data) for each in record.materials]
            first = json.loads(header_line(header, materials)) | ({"redacted": True} if record.redacted else {})
            stream.write(json.dumps(first) + "\n")
        line = json.loads(record_lines([Record(record.seq, record.event, record.hash)]))
        if record.canonical:
            line["canonical"] = base64.b64encode(record.canonical).decode()
        stream.write(json.dumps(line) + "\n")
        count += 1
    return count


def read(path: Path) -> LogFile:
    """The log in the file. Raises `Refused` LOG_CORRUPT when it is no export, Stop when it cannot be read."""
    try:
        reader = FileLogReader(path)
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    except OSError as error:
        raise Stop(f"{path} cannot be read: {error.strerror}.") from error
    records = asyncio.run(_all(reader))
    exported = [
        verify.Exported(record, _canonical(line, path)) for record, line in zip(records, lines[1:], strict=True)
    ]
    return LogFile(reader.header, exported, bool(lines[0].get("redacted")), reader.materials)


async def _all(reader: FileLogReader) -> list[Record]:
    return [record async for batch in reader.read(reader.header.match_id) for record in batch]


def _canonical(line: dict[str, Any], path: Path) -> bytes:
    try:
        return base64.b64decode(line.get("canonical", ""), validate=True)
    except (TypeError, ValueError) as error:
        raise Stop(f'{path}, seq {line["seq"]}: "canonical" is not base64.') from error


def counted(records: Iterable[verify.Exported], advance: Callable[[int], None]) -> Iterator[verify.Exported]:
    """The records, each told to a progress bar as it is taken."""
    for record in records:
        advance(1)
        yield record
