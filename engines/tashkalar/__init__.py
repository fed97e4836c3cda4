"""The game Tash-Kalar."""

from __future__ import annotations

from engines.tashkalar.game import GAME

__all__ = ["GAME"]
