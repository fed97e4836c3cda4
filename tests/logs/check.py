"""Folding a recorded log, and holding every byte of it against what it says."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from hamle.event.v1 import event_pb2
from hamle_client import Material as ExportedMaterial
from hamle_client import Record as Exported

from cli import logfile
from core.log.export import ExportHeader
from core.log.types import Record
from core.materials.naming import Material
from engines.kit.differ import differences
from engines.kit.history import HashDiffers, History
from engines.kit.state import AnyGame, canonical
from engines.kit.steps import FoldError
from engines.registry import games_by_rules
from tests.engines.kit.cardgame import GAME as CELLAR


class Drift(AssertionError):
    """A recorded log does not fold to what it says."""


def games() -> Mapping[str, AnyGame]:
    """Every game whose logs are kept, by rules version."""
    return {**games_by_rules(), CELLAR.info.rules: CELLAR}


def stored(path: Path) -> list[Exported]:
    """The records of a log."""
    log = logfile.read(path)
    records = [Exported(record.seq, record.event, record.hash, said) for record, said in log.records]
    return with_materials(records, log.materials)


def with_materials(records: Sequence[Exported], materials: Sequence[Material]) -> list[Exported]:
    """The records; the first has what the match is played with."""
    first, *rest = records
    return [first._replace(materials=tuple(ExportedMaterial(*material) for material in materials)), *rest]


def write(path: Path, header: ExportHeader, records: Sequence[Exported]) -> None:
    """Writes a log as `hamle export` does."""

    async def each() -> AsyncIterator[Exported]:
        for record in records:
            yield record

    stream = io.StringIO()
    asyncio.run(logfile.write(stream, header, each()))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(stream.getvalue(), encoding="utf-8")


def check(path: Path, games: Mapping[str, AnyGame]) -> History:
    """Folds a log, and holds hashes, states and bytes against what it says. Raises `Drift`."""
    log = logfile.read(path)
    history = History(games, log.materials)
    for record, said in log.records:
        _check_bytes(path, record)
        try:
            _, _, folded = history.add(record)
        except HashDiffers as differs:
            fields = differences(history.game, said, canonical(history.game, differs.folded.state))
            told = [f"  {field.path}: recorded {field.recorded}, now {field.computed}" for field in fields]
            raise Drift("\n".join([f"{path}: {differs}", *told])) from differs
        except FoldError as error:
            raise Drift(f"{path}: {error}") from error
        if canonical(history.game, folded.state) != said:
            raise Drift(f"{path}: event {record.seq} leads to another state, although its hash is the same")
    return history


def _check_bytes(path: Path, record: Record) -> None:
    event = event_pb2.Event.FromString(record.event)
    if event.SerializeToString(deterministic=True) != record.event:
        raise Drift(f"{path}: event {record.seq} is serialised to other bytes today")
    for message in walk(event):
        if len(UnknownFieldSet(message)):
            name = message.DESCRIPTOR.full_name
            raise Drift(f"{path}: event {record.seq} holds a field that {name} does not know any more")


def walk(message: Message) -> Iterator[Message]:
    """A message and all messages in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for inner in value if isinstance(value, Sequence) else [value]:
            yield from walk(inner)
