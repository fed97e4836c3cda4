"""Notices when a shard's master may have forgotten acknowledged events."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Histories:
    """The history that each shard's master last named: it names another after a restart and after a failover.

    `on_new` takes the shards whose history is another one than before; compare the heads of their warm matches.
    """

    def __init__(self, on_new: Callable[[frozenset[int]], None] | None = None) -> None:
        self._on_new = on_new
        self._seen: dict[int, str] = {}

    def note(self, shards: Iterable[int], history: str) -> None:
        """The master of these shards names this history."""
        changed = frozenset(shard for shard in shards if self._seen.get(shard, history) != history)
        self._seen |= dict.fromkeys(shards, history)
        if changed and self._on_new is not None:
            self._on_new(changed)
