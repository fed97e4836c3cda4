"""Marks of matches of which the store has forgotten acknowledged events; while a mark is there, nobody appends."""

from __future__ import annotations

from typing import Any

from core.log.command import LIBRARY
from core.log.keys import log_key, lost_key
from core.log.types import Cursor
from core.store.client import Client
from core.store.errors import store_errors
from core.store.functions import call_function


class Losses:
    """The marks in the store; an append with `accepts_loss` takes one away. Raises `Refused`: STORE_DOWN."""

    def __init__(self, client: Client) -> None:
        self._client: Any = client

    async def mark(self, match_id: str, head: Cursor, last_known: int) -> bool:
        """Mark that events up to `last_known` were acknowledged and are forgotten.

        `head` is the log's head, from seq 1, as it was when the loss was found; False when it is another one by now.
        """
        keys = (log_key(match_id), lost_key(match_id))
        answer = await call_function(self._client, LIBRARY, "lose", keys, [head.seq, head.hash, last_known])
        return isinstance(answer, int)

    async def last_known(self, match_id: str) -> int:
        """The last event that is known to have been acknowledged; 0: the match is not marked."""
        with store_errors():
            return int(await self._client.get(lost_key(match_id)) or 0)
