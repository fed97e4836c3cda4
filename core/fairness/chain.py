"""The chained state hash that stands beside each event; `docs/fairness.md` gives the layout."""

from __future__ import annotations

import struct
from functools import lru_cache
from hashlib import blake2b
from typing import Final

HASH_BYTES: Final = 16
GENESIS: Final = b""
"""What the first event is chained to."""

_lengths = struct.Struct(">III").pack


@lru_cache(maxsize=4096)
def _keyed(key: bytes) -> blake2b:
    # Keying costs as much as hashing an event; a copy of the keyed state costs a third of that.
    return blake2b(digest_size=HASH_BYTES, key=key)


def chain(key: bytes, previous: bytes, event: bytes, canonical: bytes) -> bytes:
    """The state hash after an event, 16 bytes.

    `key` is `hash_key(secret)`, `previous` the hash before the event or `GENESIS`, `event` the raw bytes of the event
    as stored, `canonical` the canonical bytes of the match state after it.
    """
    state = _keyed(key).copy()
    state.update(b"".join((_lengths(len(previous), len(event), len(canonical)), previous, event, canonical)))
    return state.digest()
