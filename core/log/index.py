"""What the appends keep beside the logs, a shard at a time: deadlines and the list of public matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from core.log.command import LIBRARY
from core.log.keys import deadlines_key, listed_key, log_key, lost_key, shard_of
from core.store.client import Client
from core.store.errors import store_errors
from core.store.functions import call_function


async def due(client: Client, shard: int, until_ms: int, limit: int = 256) -> Sequence[tuple[str, int]]:
    """The matches whose deadline is not later than `until_ms`, soonest first, each with its deadline in ms."""
    store: Any = client
    with store_errors():
        found = await store.zrangebyscore(
            deadlines_key(shard), 0, until_ms, start=0, num=limit, withscores=True, score_cast_func=int
        )
    return [(match_id.decode(), deadline_ms) for match_id, deadline_ms in found]


async def listed(client: Client, shard: int) -> Mapping[str, bytes]:
    """The shard's public matches, each with its listing."""
    store: Any = client
    with store_errors():
        found = await store.hgetall(listed_key(shard))
    return {match_id.decode(): listing for match_id, listing in found.items()}


async def forget(client: Client, match_id: str) -> bool:
    """Remove the deadline and the listing of a match whose log has vanished; False when the log is there."""
    shard = shard_of(match_id)
    keys = (log_key(match_id), deadlines_key(shard), listed_key(shard), lost_key(match_id))
    return bool(await call_function(client, LIBRARY, "forget", keys, [match_id]))
