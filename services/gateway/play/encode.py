"""A move as the engine takes it, put together by hand: the one message that is made for every move.

`ExecuteRequest` with `submit`, wrapped as the payload of a call. Field numbers come from the descriptors; a test holds
the bytes against those of the generated classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from hamle.engine.v1.engine_pb2 import ExecuteRequest, Submit

from core.wireformat import delimited, tag
from services.gateway.exchange.wire import EXECUTE

_MATCH_ID: Final = tag(ExecuteRequest.DESCRIPTOR, "match_id")
_HANDLE: Final = tag(ExecuteRequest.DESCRIPTOR, "handle")
_REQUEST_ID: Final = tag(ExecuteRequest.DESCRIPTOR, "request_id")
_EXPECTED: Final = tag(ExecuteRequest.DESCRIPTOR, "expected")
_SUBMIT: Final = tag(ExecuteRequest.DESCRIPTOR, "submit")
_MOVES: Final = tag(Submit.DESCRIPTOR, "moves")

_SEATS: Final = 16_384
"""Seats whose first fields are remembered: they are the same for every move."""


def submission(match_id: str, handle: str, request_id: str, expected: bytes, moves: Iterable[str]) -> bytes:
    """The payload of a call that submits moves; `expected` is an encoded Cursor."""
    submit = b"".join([_MOVES + delimited(move.encode()) for move in moves])
    parts = (
        _seat(match_id, handle),
        _REQUEST_ID,
        delimited(request_id.encode()),
        _EXPECTED,
        delimited(expected),
        _SUBMIT,
        delimited(submit),
    )
    return EXECUTE + delimited(b"".join(parts))


@lru_cache(_SEATS)
def _seat(match_id: str, handle: str) -> bytes:
    return _MATCH_ID + delimited(match_id.encode()) + _HANDLE + delimited(handle.encode())
