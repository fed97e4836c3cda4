"""A bot that weighs every action, offer and answer by what its hand is worth after it, and what others lose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb
from hamle_client import View

from clients.bots.itchyfeet.actions import ways
from clients.bots.itchyfeet.moves import anything, block, last_card, paid
from clients.bots.itchyfeet.offers import accepts, offers
from clients.bots.itchyfeet.table import Table, read
from clients.bots.itchyfeet.worth import cheapest, gain, loss, weight
from clients.bots.runner import Bot, Choices

_FREE: Final = ("play:red_eye_flight", "play:duty_free_voucher")
"""Cards that take no action."""


def traveller() -> Bot:
    """The bot."""

    async def bot(view: View, choices: Choices) -> str:
        firsts = [choice.text for choice in await choices("")]
        table = read(view)
        kind = table.game.agenda[-1].kind
        if kind == pb.KIND_ACTION:
            return await _act(table, choices, firsts)
        if kind == pb.KIND_OFFER:
            return "accept" if "accept" in firsts and accepts(table) else "decline"
        if kind == pb.KIND_WINDOW:
            return block(table, firsts)
        if firsts[0].startswith("take:"):
            return _take(table, firsts)
        if firsts[0].startswith("pick:"):
            return max(firsts, key=lambda text: gain(table, without=[last_card(text)]))
        if firsts[0].startswith("discard:"):
            return await paid(table, choices, "discard:", cheapest(table, len(table.order)))
        return firsts[0]

    return bot


async def _act(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    """Travels first, unless two actions can be had for it; a drawn card might be contraband."""
    travels = [text for text in firsts if text.startswith("travel")]
    if travels and ("play:red_eye_flight" not in firsts or table.leads(table.seat)):
        return travels[0]
    free = [text for text in firsts if text in _FREE]
    if free:
        return free[0]
    found = await ways(table, choices, firsts)
    best = max(found, default=None)
    proposed = offers(table, firsts, best.gain if best else 0.0)
    if len(proposed) > table.game.offers:
        move = proposed[table.game.offers]
        begun = move.partition(">")[0] + ">"
        if any(choice.text == move and choice.complete for choice in await choices(begun)):
            return move
    return best.move if best else await anything(choices, firsts[0])


def _take(table: Table, firsts: Sequence[str]) -> str:
    """The card that brings most, with what its owner loses by it."""
    task = table.game.agenda[-1]

    def value(text: str) -> float:
        card = last_card(text)
        if card == "none":
            return 0.0
        other = weight(table, task.other) * loss(table, task.other, card) if task.HasField("other") else 0.0
        return gain(table, card) + other

    return max(firsts, key=value)
