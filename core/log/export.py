"""A log as a file of JSON lines, with the raw bytes, so that anyone can verify it offline.

The first line is `{"hamle_log": 1, "match_id": ..., "game": ..., "rules": ...}`. Where the match is played with files,
it holds them too: `"materials": [{"option": "deck", "value": "house-<64 hex digits>", "bytes": <base64>}]`. Then comes
one line a record: `{"seq": 1, "hash": <32 hex digits>, "event": <base64>}`, seq from 1 without gaps. UTF-8, every line
ends in a newline.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Final, NamedTuple

from core.log.types import Record
from core.materials.naming import Material

VERSION: Final = 1


class ExportHeader(NamedTuple):
    """What the first line says: which match, of which game, under which rules version."""

    match_id: str
    game: str
    rules: str


class Damage(NamedTuple):
    """Where a file that begins as an export stops being one: line, expected record, what is found."""

    line: int
    seq: int
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}; expected {self.expected}, found {self.found}"


def header_line(header: ExportHeader, materials: Iterable[Material] = ()) -> str:
    """The first line of an export."""
    listed = [
        {"option": material.option, "value": material.value, "bytes": base64.b64encode(material.data).decode()}
        for material in materials
    ]
    first = {"hamle_log": VERSION, **header._asdict()}
    return json.dumps(first | {"materials": listed} if listed else first) + "\n"


def record_lines(records: Iterable[Record]) -> str:
    """The lines of some records."""
    return "".join(
        json.dumps({"seq": r.seq, "hash": r.hash.hex(), "event": base64.b64encode(r.event).decode()}) + "\n"
        for r in records
    )
