"""The credential that Hamle's own processes show each other, made once for each store."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Final

from redis.asyncio import Redis

KEY: Final = "{fleet}:credential"
_BYTES = 32


async def fleet_credential(store: Redis) -> str:
    """The credential of the fleet that shares this store; whoever asks first makes it. At least 43 characters."""
    async with store.pipeline(transaction=False) as pipe:
        pipe.set(KEY, token_urlsafe(_BYTES), nx=True)
        pipe.get(KEY)
        _, stored = await pipe.execute()
    return stored.decode() if isinstance(stored, bytes) else str(stored)
