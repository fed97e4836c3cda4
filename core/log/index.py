"""What the appends keep beside a log and what outlives it: its deadline and its place in the list of matches."""

from __future__ import annotations

from core.log.command import LIBRARY
from core.log.keys import deadlines_key, listed_key, log_key, lost_key, shard_of
from core.store.client import Client
from core.store.functions import call_function


async def forget(client: Client, match_id: str) -> bool:
    """Removes the deadline and the listing of a match whose log has vanished; False when the log is there.

    Raises `Refused` when the store does not take it.
    """
    shard = shard_of(match_id)
    keys = (log_key(match_id), deadlines_key(shard), listed_key(shard), lost_key(match_id))
    return bool(await call_function(client, LIBRARY, "forget", keys, [match_id]))
