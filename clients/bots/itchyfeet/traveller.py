"""A bot that gathers what its next travel takes, guards its passport, and blocks who is about to win."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hamle.itchyfeet.v1 import itchyfeet_pb2 as pb
from hamle_client import View

from clients.bots.itchyfeet.table import Table, best, last_card, read
from clients.bots.runner import Bot, Choices

_AT_ONCE: Final = ("travel", "play:duty_free_voucher", "play:red_eye_flight", "play:local_guide")
_JUNK: Final = 1.0
"""Cards that are worth no more than this are spent."""


def traveller() -> Bot:
    """The bot."""

    async def bot(view: View, choices: Choices) -> str:
        firsts = [choice.text for choice in await choices("")]
        table = read(view)
        kind = table.game.agenda[-1].kind
        if kind == pb.KIND_ACTION:
            return await _act(table, choices, firsts)
        if kind == pb.KIND_OFFER:
            return _answer(table, firsts)
        if kind == pb.KIND_WINDOW:
            return _block(table, firsts)
        if firsts[0].startswith("take:"):
            return best((text for text in firsts if text != "take:none"), table) if len(firsts) > 1 else firsts[0]
        if firsts[0].startswith(("discard:", "pick:")):
            return await _cheapest(table, choices, "")
        return firsts[0]

    return bot


async def _act(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    for wanted in _AT_ONCE:
        fitting = [text for text in firsts if text.startswith(wanted)]
        if fitting:
            return fitting[0]
    lacks = set(table.missing)
    if not any(card.startswith("passport") for card in table.hand):
        lacks.add("passport")
    if "dispose:" in firsts and len(lacks) <= 1:
        return await _cheapest(table, choices, "dispose:")
    junk = sum(count for card, count in table.hand.items() if table.keep(card) <= _JUNK)
    if "recycle:" in firsts:
        wanted_cards = [choice.text for choice in await choices("recycle:")]
        wanted_cards = [text for text in wanted_cards if _lacked(last_card(text), lacks) and _lies(table, text)]
        if wanted_cards and junk >= 2:
            return await _cheapest(table, choices, wanted_cards[0])
    if "play:sticky_fingers:" in firsts:
        return await _rob(table, choices, "play:sticky_fingers:")
    full = sum(table.hand.values()) >= table.game.places[table.seat].hand_limit
    if "dispose:" in firsts and full:
        return await _cheapest(table, choices, "dispose:")
    if "steal:" in firsts and junk and (full or "draw" not in firsts):
        return await _cheapest(table, choices, await _rob(table, choices, "steal:"))
    if "draw" in firsts:
        return "draw"
    for text in ("recycle:", "steal:", "dispose:"):
        if text in firsts:
            return await _cheapest(table, choices, text)
    return firsts[-1] if not firsts[-1].endswith(":") else await _cheapest(table, choices, firsts[-1])


def _lacked(card: str, lacks: set[str]) -> bool:
    return card in lacks or (card.startswith("passport") and "passport" in lacks)


def _lies(table: Table, text: str) -> bool:
    return last_card(text) in table.game.discard


async def _rob(table: Table, choices: Choices, verb: str) -> str:
    """The verb with a seat: who heads for the centre first, then who has most cards."""
    texts = [choice.text for choice in await choices(verb)]

    def rank(text: str) -> tuple[bool, int]:
        seat = int(text.rstrip(":").rpartition(":")[2])
        return table.leader(seat), table.game.places[seat].hand_size

    return max(texts, key=rank)


async def _cheapest(table: Table, choices: Choices, begun: str) -> str:
    """The move completed with the cards that are worth least."""
    while True:
        following = list(await choices(begun))
        choice = min(following, key=lambda one: (table.keep(last_card(one.text)), one.text))
        if choice.complete:
            return choice.text
        begun = choice.text


def _answer(table: Table, firsts: Sequence[str]) -> str:
    """Accepts when what comes is worth more than what goes."""
    task = table.game.agenda[-1]
    gain = sum(table.worth(card) for card in task.cards)
    loss = sum(table.keep(card) for card in task.more)
    return "accept" if "accept" in firsts and gain > loss else "decline"


def _block(table: Table, firsts: Sequence[str]) -> str:
    """A theft is blocked always, a travel when it goes to the centre."""
    task = table.game.agenda[-1]
    theft = task.HasField("other")
    blocks = [text for text in firsts if text.startswith("block:")]
    return blocks[0] if blocks and (theft or table.leader(task.seat)) else "pass"
