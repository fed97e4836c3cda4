"""Which replica owns a shard: the one whose hash with the shard is highest (rendezvous hashing).

Every process that knows the same replicas gives the same answer, and a replica that comes or goes moves only its own
shards. The owner is where a match is warm, no more: correctness never depends on two processes agreeing.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b


def owner(shard: int, replicas: Iterable[str]) -> str:
    """The replica that owns the shard. Raises ValueError when there is no replica."""
    return max(replicas, key=lambda replica: (_weight(shard, replica), replica))


def ranked(shard: int, replicas: Iterable[str]) -> list[str]:
    """The owner first, then who would own the shard without those before."""
    return sorted(replicas, key=lambda replica: (_weight(shard, replica), replica), reverse=True)


def _weight(shard: int, replica: str) -> bytes:
    return blake2b(f"{shard}:{replica}".encode(), digest_size=8).digest()
