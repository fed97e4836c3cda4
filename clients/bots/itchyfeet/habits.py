"""The three simple bots: what each does when nothing better is at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clients.bots.itchyfeet.cards import ITEMS
from clients.bots.itchyfeet.moves import paid
from clients.bots.itchyfeet.simple import richest, simple, spares
from clients.bots.itchyfeet.table import Table
from clients.bots.runner import Bot, Choices

_KEEPS: Final = 1
"""Spare cards that the robber does not pay with: it draws first."""


def drawer() -> Bot:
    """Draws, until its hand is full."""

    async def nothing(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
        return ""

    return simple(nothing)


def robber() -> Bot:
    """Steals from the fullest hand when it has spare cards, else draws."""

    async def steal(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
        able = spares(table)
        if "steal:" in firsts and len(able) > _KEEPS:
            return await paid(table, choices, f"steal:{richest(table)}:", able)
        return ""

    return simple(steal)


def trader() -> Bot:
    """Proposes one trade a turn, a spare item for one that it lacks, to each other seat by rounds; else draws."""

    async def trade(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
        given = [card for card in spares(table) if card in ITEMS]
        if table.game.offers or "offer:" not in firsts or not given or not table.missing:
            return ""
        partners = [seat for seat in table.others if table.game.places[seat].hand_size]
        partner = partners[table.game.round % len(partners)]
        wished = table.game.places[partner].requires
        give = next((card for card in given if card in wished), given[0])
        asked = sorted(table.missing, key=lambda card: (card in wished, -table.holds(partner, card), card))
        return f"offer:{partner}:{give}>{asked[0]}"

    return simple(trade)
