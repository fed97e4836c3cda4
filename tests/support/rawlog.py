"""A match's log as the store holds it, to look at and to damage."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias, cast

from core.log.keys import log_key
from core.store.client import Client

Entry: TypeAlias = tuple[bytes, dict[bytes, bytes]]
"""An entry's id and its fields: `e` the event, `h` the hash."""


async def entries(store: Client, match_id: str, count: int | None = None) -> list[Entry]:
    """The first `count` entries of the log, or all."""
    return cast(list[Entry], await store.xrange(log_key(match_id), count=count))


async def put_in_place(store: Client, match_id: str, log: Iterable[Entry]) -> None:
    """Other entries instead of the log's, at once."""
    key = log_key(match_id)
    async with store.pipeline(transaction=True) as pipe:
        pipe.delete(key)
        for entry, fields in log:
            pipe.xadd(key, cast(dict[Any, Any], fields), id=entry)
        await pipe.execute()
