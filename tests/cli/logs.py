"""A finished match as an exported file."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

from hamle_client import Record

from cli import logfile
from core.log.export import ExportHeader
from engines.kit.history import History
from engines.kit.state import canonical
from engines.registry import games_by_rules, load_game
from tests.engines.kit.table import Table

MATCH = "07aaaaaaaaaaaaaaaa"


def finished_records(seed: int = 1) -> list[Record]:
    table = Table(load_game("coerceo"), options={"start": "ocius"})
    table.play(seed)
    history = History(games_by_rules())
    found = [(r, history.add(r)[2].state) for r in table.records]
    return [Record(r.seq, r.event, r.hash, canonical(history.game, state)) for r, state in found]


def write_log(path: Path, records: list[Record]) -> Path:
    async def each() -> AsyncIterator[Record]:
        for record in records:
            yield record

    stream = io.StringIO()
    asyncio.run(logfile.write(stream, ExportHeader(MATCH, "coerceo", "coerceo/1"), each()))
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path
