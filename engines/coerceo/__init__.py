"""The game Coerceo."""

from __future__ import annotations

from engines.coerceo.game import GAME

__all__ = ["GAME"]
