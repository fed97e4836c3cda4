"""Request ids: what makes a repeated call recognisable, by any replica and after any crash."""

from __future__ import annotations

from hashlib import sha256
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


def request_key(handle: str, request_id: str) -> int:
    """First 8 bytes (little-endian) of SHA-256 over (handle, request id), each as `text_hash` has its parts."""
    return text_hash(handle, request_id)


def text_hash(*parts: str) -> int:
    """First 8 bytes (little-endian) of SHA-256 over the parts, each behind its length in characters and a colon."""
    data = "".join([f"{len(part)}:{part}" for part in parts]).encode()
    return int.from_bytes(sha256(data).digest()[:8], "little")


def payload_hash(*parts: bytes) -> int:
    """First 8 bytes (little-endian) of SHA-256 over the parts, each behind its length (u32)."""
    data = b"".join([len(part).to_bytes(4, "big") + part for part in parts])
    return int.from_bytes(sha256(data).digest()[:8], "little")


def asked(request: engine_pb2.ExecuteRequest) -> Asked:
    """The hashes of a command. What the caller had seen is not part of what it asks for: a retry may know more."""
    command = request.WhichOneof("command")
    if command == "submit":
        # Of a repeated field a slice comes at half the price of iterating over it.
        payload = text_hash("submit", *request.submit.moves[:])
    else:
        body = getattr(request, command) if command else None
        payload = payload_hash((command or "").encode(), body.SerializeToString(deterministic=True) if body else b"")
    return Asked(request_key(request.handle, request.request_id), payload)
