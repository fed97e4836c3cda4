"""Logs as files: the lines of `core.log.export`, each with the canonical state beside it, so that `verify` can say
field by field what differs.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from hamle_client import Record as Exported

from cli.errors import Stop
from cli.output import Advance, unheard
from core.log.export import Damage, ExportHeader, header_line, record_lines
from core.log.file_reader import broken, read_file
from core.log.types import Record
from core.materials.naming import Material
from engines.kit import verify


class LogFile(NamedTuple):
    """A log read from a file. A `redacted` one, of a match that was still live, cannot be verified.

    `materials` are the files that the match was played with, as they stand there. `damage`: why it is no log after the
    last of `records`.
    """

    header: ExportHeader
    records: list[verify.Exported]
    redacted: bool
    materials: list[Material]
    damage: Damage | None


async def write(
    stream: TextIO, header: ExportHeader, records: AsyncIterable[Exported], advance: Advance = unheard
) -> int:
    """Writes a log and gives the number of its records, each of which is told to `advance` when it is written."""
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
        advance(1)
    return count


def read(path: Path) -> LogFile:
    """The log in the file. Raises `Refused` LOG_CORRUPT when it is no export or damaged, Stop when it is unreadable."""
    log = read_as_found(path)
    if log.damage is not None:
        raise broken(path, log.damage, log.header.match_id)
    return log


def read_as_found(path: Path) -> LogFile:
    """As `read`, but of a damaged log what stands before the damage."""
    try:
        log = read_file(path)
    except OSError as error:
        raise Stop(f"{path} cannot be read: {error.strerror}.") from error
    exported: list[verify.Exported] = []
    damage = log.damage
    for record, line in zip(log.records, log.lines, strict=True):
        try:
            canonical = base64.b64decode(line.get("canonical", ""), validate=True)
        except (TypeError, ValueError):
            damage = Damage(record.seq + 1, record.seq, 'its "canonical" is damaged', "base64", "something else")
            break
        exported.append(verify.Exported(record, canonical))
    return LogFile(log.header, exported, bool(log.first.get("redacted")), log.materials, damage)


def counted(records: Iterable[verify.Exported], advance: Advance) -> Iterator[verify.Exported]:
    """The records, each told to a progress bar as it is taken."""
    for record in records:
        advance(1)
        yield record
