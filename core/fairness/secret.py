"""A match's secret and what comes from it; `docs/fairness.md` is normative for every byte."""

from __future__ import annotations

import hashlib
import hmac
import os
import struct
from collections.abc import Sequence

SECRET_BYTES = 32

_SEED_LABEL = b"hamle/seed/1\0"
_LOSS_LABEL = b"hamle/loss/1\0"


def new_secret() -> bytes:
    """32 bytes from the operating system."""
    return os.urandom(SECRET_BYTES)


def commitment(secret: bytes) -> bytes:
    """SHA-256 of the secret, 32 bytes: published in the first event, before anybody sits."""
    return hashlib.sha256(secret).digest()


def hash_key(secret: bytes) -> bytes:
    """Key of the match's hash chain, 32 bytes."""
    return hmac.digest(secret, b"hash", "sha256")


def game_seed(secret: bytes, entropies: Sequence[bytes]) -> bytes:
    """Seed of the match's draws, 32 bytes.

    `entropies`: one for each seat present at the start, in seat order; empty bytes for a seat that added none.
    """
    parts = [_SEED_LABEL, struct.pack(">I", len(entropies))]
    for entropy in entropies:
        parts += (struct.pack(">I", len(entropy)), entropy)
    return hmac.digest(secret, b"".join(parts), "sha256")


def seed_after_loss(seed: bytes, first: int, last: int) -> bytes:
    """Seed of the draws after a `tail_lost` event, 32 bytes.

    The numbers of the lost events `first..last` are used again, and somebody may remember what they drew; with the old
    seed the same draws would come again.
    """
    return hmac.digest(seed, _LOSS_LABEL + struct.pack(">QQ", first, last), "sha256")
