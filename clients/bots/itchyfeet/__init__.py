"""Bots for Itchy Feet: `traveller` gathers what its next travel takes."""

from __future__ import annotations

from clients.bots.itchyfeet.traveller import traveller

__all__ = ["traveller"]
