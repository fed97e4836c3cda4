"""The game Itchy Feet."""

from __future__ import annotations

from engines.itchyfeet.game import GAME

__all__ = ["GAME"]
