"""Bots for Itchy Feet: `traveller` weighs what it may do; `drawer`, `robber` and `trader` follow rules of thumb."""

from __future__ import annotations

from clients.bots.itchyfeet.habits import drawer, robber, trader
from clients.bots.itchyfeet.traveller import traveller

__all__ = ["drawer", "robber", "trader", "traveller"]
