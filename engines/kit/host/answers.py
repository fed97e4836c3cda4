"""What a command is answered."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2

from core.log.types import Cursor, Durability


def execute_response(cursor: Cursor, durability: Durability) -> bytes:
    """The bytes of the answer to a command that is in the log up to `cursor`."""
    response = engine_pb2.ExecuteResponse()
    response.durability = durability  # type: ignore[assignment]
    place = response.cursor
    place.seq, place.hash = cursor
    return response.SerializeToString()
