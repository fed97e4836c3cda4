"""Moves put together part by part, and the answers that all bots give alike."""

from __future__ import annotations

from collections.abc import Sequence

from clients.bots.itchyfeet.table import Table
from clients.bots.runner import Choices


def last_card(text: str) -> str:
    """The card or seat that a part of a move names last."""
    text = text.rstrip(":+>")
    return min((text.rpartition(mark)[2] for mark in ":+>"), key=len)


def in_order(table: Table, cards: Sequence[str]) -> list[str]:
    """Cards of the hand as moves list them."""
    return sorted(cards, key=table.order.index)


async def paid(table: Table, choices: Choices, begun: str, cheapest: Sequence[str]) -> str:
    """The begun move completed with as few cards as it takes, the cheapest ones; empty when these are too few."""
    for count in range(1, len(cheapest) + 1):
        *firsts, last = in_order(table, cheapest[:count])
        prefix = begun + "".join(f"{card}+" for card in firsts)
        whole = prefix + last
        if any(choice.complete and choice.text == whole for choice in await choices(prefix)):
            return whole
    return ""


async def anything(choices: Choices, begun: str) -> str:
    """The first move that begins so."""
    while True:
        following = await choices(begun)
        complete = [choice.text for choice in following if choice.complete]
        if complete:
            return complete[0]
        begun = following[0].text


def block(table: Table, firsts: Sequence[str]) -> str:
    """The answer in a window: every theft is blocked, and a travel to the centre."""
    task = table.game.agenda[-1]
    blocks = [text for text in firsts if text.startswith("block:")]
    return blocks[0] if blocks and (task.HasField("other") or table.leads(task.seat)) else "pass"
