"""A bot for Tash-Kalar: `summoner` summons what it can, and places pieces towards the patterns of its hand."""

from __future__ import annotations

from clients.bots.tashkalar.summoner import summoner

__all__ = ["summoner"]
