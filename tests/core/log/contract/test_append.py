from __future__ import annotations

import asyncio

import pytest

from core.log import keys
from core.log.appender import Appender
from core.log.reader import RedisLogReader
from core.log.types import START, Append, Conflict, Cursor, Durability
from core.store.client import Client
from tests.core.log.logs import append_after, digest, match, record, whole


async def test_a_record_is_read_back_byte_for_byte(appender: Appender, reader: RedisLogReader) -> None:
    match_id = match()
    event = bytes(range(256)) * 40
    done = await appender.append(Append(match_id, START, [(event, digest(1))]))
    assert done.head == Cursor(1, digest(1))
    assert await whole(reader, match_id) == [(1, event, digest(1))]


async def test_an_empty_event_is_a_record_too(appender: Appender, reader: RedisLogReader) -> None:
    match_id = match()
    await appender.append(Append(match_id, START, [(b"", digest(1))]))
    assert await whole(reader, match_id) == [(1, b"", digest(1))]


async def test_several_records_go_in_at_once_and_seq_has_no_gaps(appender: Appender, reader: RedisLogReader) -> None:
    match_id = match()
    head = (await appender.append(append_after(match_id, count=3))).head
    head = (await appender.append(append_after(match_id, head))).head
    head = (await appender.append(append_after(match_id, head, count=20))).head
    assert head == Cursor(24, digest(24))
    assert await whole(reader, match_id) == [record(seq) for seq in range(1, 25)]
    assert await reader.head(match_id) == head


async def test_the_reply_says_what_the_store_does_with_a_write(appender: Appender) -> None:
    assert (await appender.append(append_after(match()))).durability is Durability.WRITTEN


@pytest.mark.parametrize(
    "expected",
    [START, Cursor(1, digest(1)), Cursor(3, digest(3)), Cursor(2, digest(2, "other")), Cursor(2**53 - 1, digest(9))],
    ids=["empty", "behind", "ahead", "another history", "far ahead"],
)
async def test_an_append_to_another_head_changes_nothing_and_names_the_head(
    appender: Appender, reader: RedisLogReader, store: Client, expected: Cursor
) -> None:
    match_id = match()
    head = (await appender.append(append_after(match_id, count=2))).head
    before = await _everything(store)
    with pytest.raises(Conflict) as conflict:
        await appender.append(append_after(match_id, expected, branch="loser")._replace(deadline_ms=5, listing=b"x"))
    assert conflict.value.head == head
    assert await _everything(store) == before


async def test_an_append_to_a_log_that_is_not_there_names_the_start(appender: Appender, store: Client) -> None:
    with pytest.raises(Conflict) as conflict:
        await appender.append(append_after(match(), Cursor(4, digest(4))))
    assert conflict.value.head == START
    assert await _everything(store) == {}


async def test_of_many_writers_at_the_same_head_one_wins(appender: Appender, reader: RedisLogReader) -> None:
    match_id = match()
    results = await asyncio.gather(
        *(appender.append(append_after(match_id, count=2, branch=f"writer {i}")) for i in range(20)),
        return_exceptions=True,
    )
    won = [i for i, result in enumerate(results) if not isinstance(result, BaseException)]
    assert len(won) == 1
    assert all(isinstance(result, Conflict) for i, result in enumerate(results) if i not in won)
    assert await whole(reader, match_id) == [record(seq, f"writer {won[0]}") for seq in (1, 2)]


async def test_appends_of_one_match_that_are_queued_together_stay_in_order(
    appender: Appender, reader: RedisLogReader
) -> None:
    match_id = match()
    heads = [START, *(Cursor(seq, digest(seq)) for seq in range(1, 50))]
    await asyncio.gather(*(appender.submit(append_after(match_id, head)) for head in heads))
    assert await whole(reader, match_id) == [record(seq) for seq in range(1, 51)]


async def test_many_appends_share_a_batch(appender: Appender) -> None:
    await asyncio.gather(*(appender.append(append_after(match(f"m{i}"))) for i in range(200)))
    assert appender.stats.appends == 200
    assert appender.stats.batches < 20


async def test_a_deadline_is_set_moved_left_and_cleared(appender: Appender, store: Client) -> None:
    match_id = match()
    key = keys.deadlines_key(int(match_id[:2]))
    head = START
    for deadline_ms, stored in (
        (1_800_000_000_123, 1_800_000_000_123),
        (None, 1_800_000_000_123),
        (1_700_000_000_000, 1_700_000_000_000),
        (0, None),
        (0, None),
    ):
        head = (await appender.append(append_after(match_id, head)._replace(deadline_ms=deadline_ms))).head
        assert await store.zscore(key, match_id) == stored


async def test_a_listing_is_set_changed_left_and_removed(appender: Appender, store: Client) -> None:
    match_id = match()
    key = keys.listed_key(int(match_id[:2]))
    head = START
    for listing, stored in (
        (b"-\r\n\0", b"-\r\n\0"),
        (None, b"-\r\n\0"),
        (b"+", b"+"),
        (b"", None),
        (b"", None),
    ):
        head = (await appender.append(append_after(match_id, head)._replace(listing=listing))).head
        assert await store.hget(key, match_id) == stored


async def test_who_sat_at_a_match_that_never_started_is_forgotten_with_its_log(
    appender: Appender, store: Client
) -> None:
    match_id = match()
    await store.hset(keys.players_key(match_id), "handle", "account")
    await appender.append(append_after(match_id)._replace(expire_s=3600))
    assert 0 < await store.ttl(keys.players_key(match_id)) <= 3600


async def test_a_log_expires_until_an_append_keeps_it(appender: Appender, store: Client) -> None:
    match_id = match()
    head = (await appender.append(append_after(match_id)._replace(expire_s=3600))).head
    assert 3590 <= await store.ttl(keys.log_key(match_id)) <= 3600
    head = (await appender.append(append_after(match_id, head)._replace(expire_s=7200))).head
    assert 7190 <= await store.ttl(keys.log_key(match_id)) <= 7200
    await appender.append(append_after(match_id, head))
    assert await store.ttl(keys.log_key(match_id)) == -1


async def test_each_append_has_the_next_position_in_its_shards_feed(appender: Appender, store: Client) -> None:
    first, second, elsewhere = match("a", shard=7), match("b", shard=7), match("c", shard=8)
    one = await appender.append(append_after(first, count=3))
    two = await appender.append(append_after(second))
    other = await appender.append(append_after(elsewhere))
    with pytest.raises(Conflict):
        await appender.append(append_after(first))
    three = await appender.append(append_after(first, one.head))
    assert [one.feed, two.feed, three.feed] == [1, 2, 3]
    assert other.feed == 1
    assert await store.get(keys.feed_position_key(7)) == b"3"


@pytest.mark.parametrize("broken", [keys.feed_key, keys.feed_position_key, keys.deadlines_key, keys.listed_key])
async def test_a_broken_key_of_the_shard_leaves_the_log_as_it_was(
    appender: Appender, reader: RedisLogReader, store: Client, broken: object
) -> None:
    match_id = match()
    head = (await appender.append(append_after(match_id))).head
    assert callable(broken)
    key = broken(int(match_id[:2]))
    await store.delete(key)
    await store.execute_command("LPUSH", key, "not what it should be")
    with pytest.raises(Exception, match="WRONGTYPE"):
        await appender.append(append_after(match_id, head)._replace(deadline_ms=5, listing=b"x"))
    assert await reader.head(match_id) == head


async def test_an_append_beyond_the_batch_limits_is_split_into_batches(appender: Appender) -> None:
    event = bytes(300_000)
    appends = [Append(match(f"m{i}"), START, [(event, digest(1))]) for i in range(12)]
    await asyncio.gather(*(appender.append(append) for append in appends))
    assert appender.stats.appends == 12
    assert appender.stats.batches >= 3


async def _everything(store: Client) -> dict[bytes, object]:
    return {key: await store.dump(key) async for key in store.scan_iter()}
