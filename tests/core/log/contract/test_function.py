"""The append function by itself: what it answers to arguments that no appender of ours would send."""

from __future__ import annotations

from typing import Any

import pytest
from redis.exceptions import ResponseError

from core.log import keys
from core.log.command import LIBRARY
from core.log.shards import check_shards
from core.store.client import Client
from core.store.functions import call_function
from tests.core.log.logs import digest, match

GOOD: list[Any] = [match(), 0, "", 0, "", "", "", b"event", digest(1)]


async def _append(store: Client, args: list[Any]) -> Any:
    shard = int(match()[:2])
    names = (keys.feed_key, keys.feed_position_key, keys.deadlines_key, keys.listed_key)
    used = [keys.log_key(match()), *(name(shard) for name in names), keys.lost_key(match())]
    return await call_function(store, LIBRARY, "append", used, args)


async def test_good_arguments_are_taken(store: Client) -> None:
    assert await _append(store, GOOD) == 1


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, "one"),
        (1, 1),
        (2, digest(0)),
        (2, "short"),
        (3, "soon"),
        (4, "tomorrow"),
        (6, "deny"),
        (8, b"short"),
        (8, b""),
        (8, bytes(17)),
    ],
)
async def test_a_malformed_argument_is_refused_and_nothing_is_written(store: Client, place: int, value: Any) -> None:
    args = list(GOOD)
    args[place] = value
    with pytest.raises(ResponseError, match="HAMLEARGS"):
        await _append(store, args)
    assert [key async for key in store.scan_iter()] == []


@pytest.mark.parametrize("count", [0, 1, 7, 8, 10])
async def test_too_few_arguments_are_refused_and_nothing_is_written(store: Client, count: int) -> None:
    with pytest.raises(ResponseError, match="HAMLEARGS"):
        await _append(store, [*GOOD, b"half a record"][:count])
    assert [key async for key in store.scan_iter()] == []


async def test_the_number_of_shards_is_recorded_once_and_compared_after(store: Client) -> None:
    await check_shards(store)
    await check_shards(store)
    assert await store.get(keys.SHARDS_KEY) == b"64"
    await store.set(keys.SHARDS_KEY, 16)
    with pytest.raises(Exception, match="first started with b'16' shards, this version has 64"):
        await check_shards(store)
