from __future__ import annotations

from pathlib import Path

import pytest
from hamle.error.v1.error_pb2 import REASON_LOG_CORRUPT

from core.errors import Refused
from core.log import keys
from core.log.appender import Appender
from core.log.export import ExportHeader, header_line, record_lines
from core.log.file_reader import FileLogReader
from core.log.reader import RedisLogReader
from core.log.types import START, Cursor
from core.store.client import Client
from tests.core.log.logs import append_after, digest, match, record, whole


async def test_a_log_that_is_not_there_is_empty(reader: RedisLogReader) -> None:
    assert await reader.head(match()) == START
    assert await whole(reader, match()) == []


@pytest.mark.parametrize("after", [0, 1, 4, 5, 9, 10, 11, 1000])
async def test_reading_starts_after_any_seq(appender: Appender, reader: RedisLogReader, after: int) -> None:
    match_id = match()
    await appender.append(append_after(match_id, count=10))
    assert await whole(reader, match_id, after) == [record(seq) for seq in range(after + 1, 11)]


@pytest.mark.parametrize("batch", [1, 3, 5, 10, 11])
async def test_batches_of_any_size_give_the_same_log(appender: Appender, store: Client, batch: int) -> None:
    match_id = match()
    await appender.append(append_after(match_id, count=10))
    reader = RedisLogReader(store, batch=batch)
    batches = [records async for records in reader.read(match_id)]
    assert [r for records in batches for r in records] == [record(seq) for seq in range(1, 11)]
    assert all(len(records) <= batch for records in batches)


async def test_heads_of_many_logs_come_in_one_answer(appender: Appender, reader: RedisLogReader) -> None:
    ids = [match(f"m{i}") for i in range(10)]
    for count, match_id in enumerate(ids[1:], 1):
        await appender.append(append_after(match_id, count=count))
    heads = {match_id: Cursor(count, digest(count)) for count, match_id in enumerate(ids[1:], 1)}
    assert await reader.heads(ids) == {ids[0]: START, **heads}
    assert await reader.heads([]) == {}


async def test_a_malformed_head_hides_no_other(appender: Appender, reader: RedisLogReader, store: Client) -> None:
    broken, sound = match("broken"), match("sound")
    for match_id in (broken, sound):
        await appender.append(append_after(match_id))
    await store.xadd(keys.log_key(broken), {"e": b"no hash"}, id="2-0")
    assert await reader.heads([broken, sound]) == {broken: Cursor(2, b""), sound: Cursor(1, digest(1))}
    with pytest.raises(Refused) as refused:
        await reader.head(broken)
    assert refused.value.reason == REASON_LOG_CORRUPT


async def test_a_gap_is_reported_as_corrupt(appender: Appender, reader: RedisLogReader, store: Client) -> None:
    match_id = match()
    await appender.append(append_after(match_id, count=5))
    await store.xdel(keys.log_key(match_id), "3-0")
    with pytest.raises(Refused, match="seq 3 is missing") as refused:
        await whole(reader, match_id)
    assert refused.value.reason == REASON_LOG_CORRUPT
    assert refused.value.metadata == {"match_id": match_id, "seq": "3"}
    assert await whole(reader, match_id, after=3) == [record(4), record(5)]


@pytest.mark.parametrize(
    "entry",
    [("1-0", "e", "x"), ("1-0", "h", digest(1)), ("1-0", "e", "x", "h", "short"), ("1-1", "e", "x", "h", "y" * 16)],
)
async def test_a_malformed_record_is_reported_as_corrupt(
    reader: RedisLogReader, store: Client, entry: tuple[str | bytes, ...]
) -> None:
    match_id = match()
    await store.execute_command("XADD", keys.log_key(match_id), *entry)
    for attempt in (whole(reader, match_id), reader.head(match_id)):
        with pytest.raises(Refused, match="seq 1 is malformed") as refused:
            await attempt
        assert refused.value.reason == REASON_LOG_CORRUPT


async def test_an_exported_log_reads_as_the_stored_one(
    appender: Appender, reader: RedisLogReader, tmp_path: Path
) -> None:
    match_id = match()
    head = (await appender.append(append_after(match_id, count=7))).head
    path = tmp_path / "match.jsonl"
    records = await whole(reader, match_id)
    path.write_text(header_line(ExportHeader(match_id, "coerceo", "coerceo/1")) + record_lines(records))
    exported = FileLogReader(path)
    assert exported.header == (match_id, "coerceo", "coerceo/1")
    assert await exported.head(match_id) == head
    for after in (0, 3, 7, 9):
        assert await whole(exported, match_id, after) == await whole(reader, match_id, after)
