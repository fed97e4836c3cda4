"""The end of a turn: what its seat decides then (rules §5, §10)."""

from __future__ import annotations

from engines.tashkalar.scene import Asking, Scene


def end(g: Scene) -> Asking[None] | None:
    """A task may be claimed."""
    return None
