"""Trades: what to propose, and what to accept."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from clients.bots.itchyfeet.actions import Way
from clients.bots.itchyfeet.cards import is_contraband, is_passport
from clients.bots.itchyfeet.table import PASSPORT, Table
from clients.bots.itchyfeet.worth import drawn, gain, loss, weight

_LIKELY: Final = 0.02
"""Offers less likely to be accepted than this are not made."""


def offers(table: Table, firsts: Sequence[str], least: float) -> list[str]:
    """Offers that gain more than `least` when they are accepted, the most promising ones first."""
    if "offer:" not in firsts:
        return []
    draw = drawn(table) * (2 if table.ability("haggler") else 1)
    found = []
    for seat in table.others:
        if not table.game.places[seat].hand_size:
            continue
        for give, ask in product(table.hand, _asked(table, seat)):
            chance = _chance(table, seat, give, ask)
            if give == ask or chance <= _LIKELY:
                continue
            value = gain(table, ask, without=[give]) + draw - least
            value -= weight(table, seat) * (loss(table, seat, give) - loss(table, seat, ask))
            if value > 0:
                found.append(Way(value * chance, f"offer:{seat}:{give}>{ask}"))
    return [way.move for way in sorted(found, key=lambda way: (-way.gain, way.move))]


def _asked(table: Table, seat: int) -> list[str]:
    cards = [*table.unseen, *table.known[seat]]
    return [card for card in dict.fromkeys(cards) if card != PASSPORT and not is_contraband(card)]


def _chance(table: Table, seat: int, give: str, ask: str) -> float:
    """The chance that the seat holds the card and lets it go for the other."""
    wished = table.game.places[seat].requires
    likes = 0.5 if give in wished else 0.5 if is_passport(give) else 0.02 if is_contraband(give) else 0.1
    lets = 0.1 if ask in wished else 0.15 if is_passport(ask) else 0.8
    return table.holds(seat, ask) * likes * lets


def accepts(table: Table) -> bool:
    """The offer on the table brings more than it costs, and more than what it brings the other seat."""
    task = table.game.agenda[-1]
    seat = task.other
    mine = gain(table, *task.cards, without=list(task.more))
    theirs = sum(loss(table, seat, card) for card in task.more) - sum(loss(table, seat, card) for card in task.cards)
    if seat == table.game.active:
        theirs += 1.3
    else:
        mine += drawn(table)
    return mine > 0 and mine > weight(table, seat) * theirs
