from __future__ import annotations

import pytest

from core.log import keys
from core.log.appender import Appender
from core.log.feed import Fed, FeedFollower
from core.log.index import forget
from core.log.types import START, Cursor, FeedEntry
from core.store.client import Client
from tests.core.log.logs import append_after, digest, match


@pytest.fixture
async def follower(store: Client) -> FeedFollower:
    following = FeedFollower(store)
    await following.start([7, 8])
    return following


async def test_what_was_appended_is_told_once_and_in_order(appender: Appender, follower: FeedFollower) -> None:
    a, b, elsewhere = match("a", shard=7), match("b", shard=8), match("c", shard=9)
    head = (await appender.append(append_after(a, count=2))).head
    await appender.append(append_after(b))
    await appender.append(append_after(elsewhere))
    await appender.append(append_after(a, head))
    fed = await follower.poll()
    assert sorted(fed.entries) == [
        FeedEntry(1, a, Cursor(2, digest(2))),
        FeedEntry(1, b, Cursor(1, digest(1))),
        FeedEntry(2, a, Cursor(3, digest(3))),
    ]
    assert [e.position for e in fed.entries if e.match_id == a] == [1, 2]
    assert await follower.poll() == Fed([], frozenset())


async def test_what_was_before_the_start_is_not_told(appender: Appender, store: Client) -> None:
    a = match("a", shard=7)
    await appender.append(append_after(a))
    follower = FeedFollower(store)
    await follower.start([7])
    assert await follower.poll() == Fed([], frozenset())


async def test_own_appends_are_not_read_back(appender: Appender, follower: FeedFollower) -> None:
    own, foreign = match("own", shard=7), match("foreign", shard=7)
    head = START
    for number in range(6):
        done = await appender.append(append_after(own, head))
        head = done.head
        follower.note(7, done.feed)
        if number == 2:
            await appender.append(append_after(foreign))
    assert await follower.poll() == Fed([FeedEntry(4, foreign, Cursor(1, digest(1)))], frozenset())
    assert await follower.poll() == Fed([], frozenset())


async def test_more_than_a_poll_takes_comes_with_the_next(appender: Appender, store: Client) -> None:
    follower = FeedFollower(store, limit=4)
    await follower.start([7])
    a = match("a", shard=7)
    head = START
    for _ in range(10):
        head = (await appender.append(append_after(a, head))).head
    told = [entry.position for _ in range(3) for entry in (await follower.poll()).entries]
    assert told == list(range(1, 11))


async def test_a_position_that_was_trimmed_away_means_rescan(
    appender: Appender, follower: FeedFollower, store: Client
) -> None:
    a = match("a", shard=7)
    head = START
    for _ in range(5):
        head = (await appender.append(append_after(a, head))).head
    await store.xtrim(keys.feed_key(7), maxlen=3, approximate=False)
    assert await follower.poll() == Fed([], frozenset([7]))
    await appender.append(append_after(a, head))
    assert await follower.poll() == Fed([FeedEntry(6, a, Cursor(6, digest(6)))], frozenset())


async def test_a_feed_that_went_back_means_rescan(appender: Appender, follower: FeedFollower, store: Client) -> None:
    a = match("a", shard=7)
    head = START
    for _ in range(3):
        head = (await appender.append(append_after(a, head))).head
    await follower.poll()
    await store.delete(keys.feed_key(7), keys.feed_position_key(7))
    assert await follower.poll() == Fed([], frozenset([7]))
    await appender.append(append_after(a, head))
    assert await follower.poll() == Fed([FeedEntry(1, a, Cursor(4, digest(4)))], frozenset())


async def test_the_feed_is_trimmed_by_the_appends_themselves(appender: Appender, store: Client) -> None:
    heads = dict.fromkeys((match(f"m{i}", shard=7) for i in range(100)), START)
    for _ in range(45):
        futures = {m: appender.submit(append_after(m, head)) for m, head in heads.items()}
        heads = {m: (await future).head for m, future in futures.items()}
    assert await store.get(keys.feed_position_key(7)) == b"4500"
    assert 4096 <= await store.xlen(keys.feed_key(7)) < 4500


async def test_shards_that_are_no_longer_followed_are_not_told(appender: Appender, follower: FeedFollower) -> None:
    follower.stop([8])
    await appender.append(append_after(match("b", shard=8)))
    follower.note(8, 1)
    assert follower.shards == {7}
    assert await follower.poll() == Fed([], frozenset())


async def test_what_points_at_a_vanished_log_can_be_removed(appender: Appender, store: Client) -> None:
    a, b = match("a", shard=7), match("b", shard=7)
    for match_id in (a, b):
        await appender.append(append_after(match_id)._replace(deadline_ms=5, listing=b"here"))
    await store.delete(keys.log_key(a))
    assert await forget(store, a) is True
    assert await forget(store, b) is False
    assert await store.hgetall(keys.listed_key(7)) == {b.encode(): b"here"}
    assert await store.zrange(keys.deadlines_key(7), 0, -1, withscores=True) == [(b.encode(), 5)]
