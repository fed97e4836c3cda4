"""`hamle rotate-keys`: a new key signs tokens from now on."""

from __future__ import annotations

from cli import operator
from cli.connection import run
from cli.options import Json
from cli.output import emit, say
from services.gateway.account.follower import open_accounts
from services.gateway.account.keys import SIGNS_AFTER_MS
from services.gateway.account.keys import rotate_keys as rotate


def rotate_keys(json: Json = False) -> None:
    """Add a key that signs tokens; nobody is logged out. For operators: needs the store's settings."""
    key = run(_rotate())
    if json:
        emit({"key": key, "signs_after_ms": SIGNS_AFTER_MS})
    else:
        say(f"key {key} signs all tokens in {SIGNS_AFTER_MS // 1000} s; those signed before stay valid")


async def _rotate() -> str:
    async with operator.store() as (client, _):
        return await rotate(await open_accounts(client))
