"""The number of shards is part of every match id, so a store keeps the one that it was first started with."""

from __future__ import annotations

from typing import Any

from hamle.error.v1.error_pb2 import REASON_STORE_UNFIT

from core.errors import Refused
from core.log.keys import SHARDS, SHARDS_KEY
from core.store.client import Client
from core.store.errors import store_errors


async def check_shards(client: Client) -> None:
    """Record the number of shards at the first start, compare it ever after.

    Raises `Refused`: STORE_UNFIT when the store belongs to a fleet with another number, STORE_DOWN, STORE_READ_ONLY.
    """
    store: Any = client
    with store_errors():
        await store.set(SHARDS_KEY, SHARDS, nx=True)
        found = await store.get(SHARDS_KEY)
    if found != b"%d" % SHARDS:
        raise Refused(
            REASON_STORE_UNFIT,
            f"The store was first started with {found!r} shards, this version has {SHARDS}. "
            "Point HAMLE_STORE_URL at its own store, or run the version that made this one.",
        )
