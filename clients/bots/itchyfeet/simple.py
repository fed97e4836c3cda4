"""What the simple bots share: rules of thumb in a fixed order. They differ in what they do when none of these applies.

As the bots of rules 6.5 they play the Voucher in their own turn only, aim the Map at their own country only, always use
the Mousetrap, and never travel with the second action of the Red-Eye Flight.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb
from hamle_client import View

from clients.bots.itchyfeet.cards import ITEMS, is_contraband, is_passport, is_postcard
from clients.bots.itchyfeet.moves import anything, block, last_card, paid
from clients.bots.itchyfeet.table import Table, read
from clients.bots.runner import Bot, Choices

Habit = Callable[[Table, Choices, Sequence[str]], Awaitable[str]]
"""The action for want of a better, of those that begin so; empty: none."""

_FREE: Final = ("play:red_eye_flight", "play:duty_free_voucher")
_PRICE: Final = 2
"""Spare cards that a Recycle may take."""


def simple(habit: Habit) -> Bot:
    """A bot that follows the rules of thumb."""

    async def bot(view: View, choices: Choices) -> str:
        firsts = [choice.text for choice in await choices("")]
        table = read(view)
        kind = table.game.agenda[-1].kind
        if kind == pb.KIND_ACTION:
            return (
                _at_once(table, firsts)
                or await _useful(table, choices, firsts)
                or await habit(table, choices, firsts)
                or await _otherwise(table, choices, firsts)
            )
        if kind == pb.KIND_OFFER:
            return _answer(table, firsts)
        if kind == pb.KIND_WINDOW:
            return block(table, firsts)
        return await _choose(table, choices, firsts)

    return bot


def spares(table: Table) -> list[str]:
    """Cards that the seat can do without, the first ones best: items, then the others, postcards last."""

    def dear(card: str) -> tuple[bool, bool, bool]:
        return is_postcard(card), card not in ITEMS, card in table.later

    return sorted(table.spare, key=dear)


def _at_once(table: Table, firsts: Sequence[str]) -> str:
    """A travel, or a card that takes no action."""
    if not table.game.acted:
        travels = [text for text in firsts if text.startswith("travel")]
        if travels:
            return travels[0]
    return next((text for text in firsts if text in _FREE), "")


async def _useful(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    """Gets rid of contraband, recycles what is lacked, or plays a card for it."""
    able = spares(table)
    if "gift:" in firsts:
        return await anything(choices, "gift:")
    if "dispose:" in firsts and able:
        return await paid(table, choices, (await choices("dispose:"))[0].text, able)
    if "recycle:" in firsts and able:
        for card in table.game.discard:
            if table.lacks(card) and (move := await paid(table, choices, f"recycle:{card}:", able[:_PRICE])):
                return move
    if "play:local_guide" in firsts and (table.missing or table.lacks_passport):
        return "play:local_guide"
    if "play:sticky_fingers:" in firsts and (table.missing or table.lacks_passport):
        return f"play:sticky_fingers:{richest(table)}"
    if "play:poorly_drawn_map:" in firsts and table.missing == table.needed:
        own = f"play:poorly_drawn_map:{table.seat}"
        if any(choice.text == own for choice in await choices("play:poorly_drawn_map:")):
            return own
    return ""


def richest(table: Table) -> int:
    """The seat with the most cards, the first of equal ones."""
    return max(table.others, key=lambda seat: table.game.places[seat].hand_size)


async def _otherwise(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    """Draws; steals when the hand is full, for drawing on and on with all items in full hands would never end."""
    able = spares(table)
    if "steal:" in firsts and able and len(table.order) >= table.limit:
        return await paid(table, choices, f"steal:{richest(table)}:", able)
    if "draw" in firsts:
        return "draw"
    begun = next((text for text in firsts if text != "offer:"), firsts[0])
    return begun if not begun.endswith(":") else await anything(choices, begun)


def _answer(table: Table, firsts: Sequence[str]) -> str:
    """Takes an offer that brings something lacked, no contraband, and costs spare cards only."""
    task = table.game.agenda[-1]
    costs_spares = Counter(task.more) <= Counter(table.spare)
    wanted = any(table.lacks(card) for card in task.cards) and not any(is_contraband(card) for card in task.cards)
    return "accept" if "accept" in firsts and wanted and costs_spares else "decline"


async def _choose(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    """Takes what is lacked; gives away or discards contraband, then spare cards."""
    if firsts[0].startswith("take:"):
        return min(firsts, key=lambda text: _dislike(table, last_card(text)))
    if firsts[0].startswith(("discard:", "pick:")):
        rest = [card for card in table.order if is_contraband(card)] if firsts[0].startswith("pick:") else []
        able = spares(table)
        kept = [card for card in table.order if card not in able and not is_contraband(card)]
        return await paid(table, choices, firsts[0].partition(":")[0] + ":", [*rest, *able, *kept])
    return firsts[0]


def _dislike(table: Table, card: str) -> int:
    """How little the seat wants to take the card."""
    if is_contraband(card):
        return 5
    if card == "none":
        return 4
    return 0 if table.lacks(card) else 1 if is_postcard(card) else 2 if not is_passport(card) else 3
