"""A match of which events are lost: marked by who knows it, and closed to everybody until the loss is accepted."""

from __future__ import annotations

import pytest

from core.log import keys
from core.log.appender import Appender
from core.log.index import forget
from core.log.losses import Losses
from core.log.reader import RedisLogReader
from core.log.types import START, Conflict, Cursor, TailLost
from core.store.client import Client
from tests.core.log.logs import append_after, digest, match, record, whole


async def test_nobody_appends_to_a_match_that_is_marked_as_lost(
    appender: Appender, reader: RedisLogReader, store: Client
) -> None:
    head = (await appender.append(append_after(match(), count=2))).head
    assert await Losses(store).mark(match(), head, 5)
    for expected in (head, Cursor(5, digest(5)), START):
        with pytest.raises(TailLost) as lost:
            await appender.append(append_after(match(), expected))
        assert (lost.value.head, lost.value.last_known) == (head, 5)
    assert await reader.head(match()) == head
    other = match("other", shard=keys.shard_of(match()))
    assert (await appender.append(append_after(other))).head.seq == 1


async def test_the_append_that_accepts_the_loss_takes_the_mark_away(
    appender: Appender, reader: RedisLogReader, store: Client
) -> None:
    head = (await appender.append(append_after(match(), count=2))).head
    assert await Losses(store).mark(match(), head, 5)
    head = (await appender.append(append_after(match(), head)._replace(accepts_loss=True))).head
    await appender.append(append_after(match(), head))
    assert await whole(reader, match()) == [record(seq) for seq in (1, 2, 3, 4)]
    assert not await store.exists(keys.lost_key(match()))


async def test_an_accepting_append_that_does_not_fit_leaves_the_mark(appender: Appender, store: Client) -> None:
    head = (await appender.append(append_after(match(), count=2))).head
    assert await Losses(store).mark(match(), head, 5)
    with pytest.raises(Conflict):
        await appender.append(append_after(match(), Cursor(5, digest(5)))._replace(accepts_loss=True))
    with pytest.raises(TailLost):
        await appender.append(append_after(match(), head))


async def test_a_loss_that_is_nowhere_marked_can_be_accepted_too(appender: Appender) -> None:
    head = (await appender.append(append_after(match()))).head
    assert (await appender.append(append_after(match(), head)._replace(accepts_loss=True))).head.seq == 2


async def test_a_mark_for_another_head_than_the_present_one_is_not_made(appender: Appender, store: Client) -> None:
    assert not await Losses(store).mark(match(), Cursor(1, digest(1)), 5)
    head = (await appender.append(append_after(match(), count=2))).head
    for elsewhere in (Cursor(1, digest(1)), Cursor(2, digest(2, "other")), Cursor(3, digest(3))):
        assert not await Losses(store).mark(match(), elsewhere, 5)
    await appender.append(append_after(match(), head))


async def test_of_several_marks_the_last_lost_event_counts(appender: Appender, store: Client) -> None:
    head = (await appender.append(append_after(match()))).head
    assert await Losses(store).last_known(match()) == 0
    for last_known in (7, 9, 8):
        assert await Losses(store).mark(match(), head, last_known)
    with pytest.raises(TailLost) as lost:
        await appender.append(append_after(match(), head))
    assert lost.value.last_known == await Losses(store).last_known(match()) == 9


async def test_a_mark_goes_with_a_log_that_has_vanished(appender: Appender, store: Client) -> None:
    head = (await appender.append(append_after(match()))).head
    assert await Losses(store).mark(match(), head, 5)
    await store.delete(keys.log_key(match()))
    assert await forget(store, match())
    assert not await store.exists(keys.lost_key(match()))
