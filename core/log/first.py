"""What a log's first event says of the whole match."""

from __future__ import annotations

from google.protobuf.message import DecodeError
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from core.log.keys import is_match_id
from core.log.reader import RedisLogReader, corrupt
from core.store.client import Client

_SHOWN = 40


async def game_of(client: Client, match_id: str) -> str:
    """The game of a match. Raises `Refused`: MATCH_NOT_FOUND, LOG_CORRUPT, STORE_DOWN."""
    if is_match_id(match_id):
        async for records in RedisLogReader(client, batch=1).read(match_id):
            try:
                game = event_pb2.Event.FromString(records[0].event).created.game
            except DecodeError:
                game = ""
            if not game:
                raise corrupt(match_id, 1, "its first event does not say which game it is of")
            return game
    shown = match_id[:_SHOWN]
    raise Refused(error_pb2.REASON_MATCH_NOT_FOUND, f"The store has no match {shown!r}.", {"match_id": shown})
