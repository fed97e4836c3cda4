"""What a command is answered."""

from __future__ import annotations

from typing import Final

from hamle.engine.v1.engine_pb2 import ExecuteResponse

from core.log.types import Cursor, Durability
from core.wireformat import VARINT, delimited, tag, varint
from engines.kit.told import cursor_bytes

_CURSOR: Final = tag(ExecuteResponse.DESCRIPTOR, "cursor")
_DURABILITY: Final = tag(ExecuteResponse.DESCRIPTOR, "durability", VARINT)


def execute_response(cursor: Cursor, durability: Durability) -> bytes:
    """The bytes of the answer to a command that is in the log up to `cursor`."""
    return _CURSOR + delimited(cursor_bytes(cursor)) + _DURABILITY + varint(durability)
