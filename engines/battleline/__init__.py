"""The game Battle Line."""

from __future__ import annotations

from engines.battleline.game import GAME

__all__ = ["GAME"]
