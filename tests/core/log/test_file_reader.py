from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hamle.error.v1.error_pb2 import REASON_LOG_CORRUPT, REASON_MATCH_NOT_FOUND
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from core.log.export import Damage, ExportHeader, header_line, record_lines
from core.log.file_reader import FileLogReader, read_file
from core.log.types import START, Record
from core.materials.naming import Material
from tests.core.log.logs import match, record, whole

MATCH = match()
HEADER = ExportHeader(MATCH, "coerceo", "coerceo/1")
GOOD = header_line(HEADER) + record_lines(record(seq) for seq in range(1, 4))


def _changed(number: int, **changes: object) -> str:
    lines = GOOD.splitlines(keepends=True)
    lines[number - 1] = json.dumps(json.loads(lines[number - 1]) | changes) + "\n"
    return "".join(lines)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: it is not JSON"),
        ("[]\n", "line 1: it is not a JSON object"),
        ("{}\n", "line 1: this is another file"),
        (_changed(1, hamle_log=2), "line 1: this version does not read its format; expected format 1, found 2"),
        (_changed(1, game=""), "line 1: the header lacks something; expected the texts match_id, game, rules"),
        (_changed(1, rules=None), "line 1: the header lacks something"),
        (_changed(1, match_id="../x"), "line 1: it does not name a match; expected a match id, found '../x'"),
        (GOOD[:-20], "line 4: it is not JSON; the file seems to be cut off there"),
        (GOOD + "\n", "line 5: it is not JSON"),
        (GOOD + "[" * 100_000 + "\n", "line 5: it is not JSON"),
        (GOOD + "null\n", "line 5: it is not a JSON object"),
        (GOOD + "{}\n", "line 5: it is not the next record; expected seq 4, found none"),
        (_changed(2, seq=True), "line 2: it is not the next record; expected seq 1, found seq True"),
        (_changed(3, seq=3), "line 3: it is not the next record; expected seq 2, found seq 3"),
        (_changed(3, hash="zz"), "line 3: it is not a record"),
        (_changed(3, hash=5), "line 3: it is not a record"),
        (_changed(3, hash="00"), "line 3: its hash is none; expected 16 bytes, found 1"),
        (_changed(3, event="%%%"), "line 3: it is not a record"),
        (_changed(3, event=None), "line 3: it is not a record"),
        (_changed(1, materials=5), "line 1: a material is not one"),
        (_changed(1, materials=[5]), "line 1: a material is not one"),
        (_changed(1, materials={"option": "deck"}), "line 1: a material is not one"),
        (_changed(1, materials=[{"option": "deck", "value": "a-1"}]), "line 1: a material is not one"),
        (_changed(1, materials=[{"option": "deck", "value": "a-1", "bytes": "%"}]), "line 1: a material is not one"),
        (_changed(1, materials=[{"option": "deck", "value": 5, "bytes": ""}]), "line 1: a material is not one"),
    ],
)
def test_a_broken_file_is_refused_with_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(text)
    with pytest.raises(Refused, match=says) as refused:
        FileLogReader(path)
    assert refused.value.reason == REASON_LOG_CORRUPT
    assert str(path) in refused.value.message


def test_of_a_damaged_file_what_stands_before_the_damage_is_read(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(_changed(3, seq=3))
    log = read_file(path)
    assert log.header == HEADER
    assert log.records == [record(1)]
    assert log.damage == Damage(3, 2, "it is not the next record", "seq 2", "seq 3")


@given(st.binary())
def test_bytes_of_any_kind_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    for content in (data, header_line(HEADER).encode() + data):
        path.write_bytes(content)
        try:
            FileLogReader(path)
        except Refused as refused:
            assert refused.reason == REASON_LOG_CORRUPT  # noqa: PT017


def test_materials_are_in_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    materials = [Material("deck", "mine-1", bytes(range(256))), Material("board", "big-2", b"")]
    path.write_text(header_line(HEADER, materials) + record_lines([record(1)]))
    assert FileLogReader(path).materials == materials
    path.write_text(GOOD)
    assert FileLogReader(path).materials == []


async def test_a_log_without_records_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(header_line(HEADER))
    reader = FileLogReader(path)
    assert await reader.head(MATCH) == START
    assert await whole(reader, MATCH) == []


async def test_another_match_is_not_found_in_it(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_text(GOOD)
    reader = FileLogReader(path)
    attempts: list[Callable[[], object]] = [lambda: reader.head(match("other")), lambda: whole(reader, match("other"))]
    for attempt in attempts:
        with pytest.raises(Refused) as refused:
            await attempt()  # type: ignore[misc]
        assert refused.value.reason == REASON_MATCH_NOT_FOUND


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileLogReader(tmp_path / "none.jsonl")


def test_a_line_holds_seq_hash_and_event() -> None:
    line = record_lines([Record(7, b"\x00event", bytes(16))])
    assert line == '{"seq": 7, "hash": "00000000000000000000000000000000", "event": "AGV2ZW50"}\n'
