"""Request ids: what makes a repeated call recognisable, by any replica and after any crash."""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from typing import NamedTuple

from hamle.engine.v1 import engine_pb2


class Asked(NamedTuple):
    """The hashes of one call, as they stand in its events: who asked under which id, and for what."""

    key: int
    payload: int


class Done(NamedTuple):
    """A call that was done: the hash of what it asked for, and its first and last event."""

    payload: int
    first: int
    last: int


_first = Struct("<Q24x").unpack
"""Of a digest the first 8 bytes, little-endian, as the only number of a tuple."""


def request_key(handle: str, request_id: str) -> int:
    """First 8 bytes of SHA-256 over (handle, request id), each behind its length in characters and a colon."""
    number: int = _first(sha256(f"{len(handle)}:{handle}{len(request_id)}:{request_id}".encode()).digest())[0]
    return number


def payload_hash(*parts: bytes) -> int:
    """First 8 bytes of SHA-256 over the parts, each behind its length (u32)."""
    number: int = _first(sha256(b"".join([len(part).to_bytes(4, "big") + part for part in parts])).digest())[0]
    return number


def asked(request: engine_pb2.ExecuteRequest) -> Asked:
    """The hashes of a command; moves are hashed as texts, in the way of `request_key`.

    What the caller had seen is not part of what it asks for: a retry may know more.
    """
    command = request.WhichOneof("command")
    if command == "submit":
        text = "6:submit"
        # Of a repeated field a slice comes at half the price of iterating over it.
        for move in request.submit.moves[:]:
            text += f"{len(move)}:{move}"
        payload = _first(sha256(text.encode()).digest())[0]
    else:
        body = getattr(request, command) if command else None
        payload = payload_hash((command or "").encode(), body.SerializeToString(deterministic=True) if body else b"")
    return Asked(request_key(request.handle, request.request_id), payload)
