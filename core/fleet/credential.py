"""The credential that Hamle's own processes show each other, made once for each store."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Final

from core.store.client import Client
from core.store.errors import store_errors

KEY: Final = "{fleet}:credential"
_BYTES = 32


async def fleet_credential(store: Client) -> str:
    """The credential of the fleet that shares this store; whoever asks first makes it. At least 43 characters.

    Raises `Refused`: STORE_DOWN, STORE_READ_ONLY, STORE_OUT_OF_MEMORY.
    """
    with store_errors():
        await store.set(KEY, token_urlsafe(_BYTES), nx=True)
        stored = await store.get(KEY)
    if not isinstance(stored, bytes):
        raise TypeError("the fleet's credential is not kept as bytes")
    return stored.decode()
