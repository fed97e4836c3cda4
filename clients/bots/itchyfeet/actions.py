"""The actions that a seat may take, each with what it gains by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from clients.bots.itchyfeet.cards import REQUIRES, is_contraband
from clients.bots.itchyfeet.moves import in_order, paid
from clients.bots.itchyfeet.table import Table
from clients.bots.itchyfeet.worth import average_loss, cheapest, drawn, gain, stolen, weight, worth
from clients.bots.runner import Choices

_CHOSEN: Final = 3.0
"""What another seat loses with the card that hurts, or with the country that it had cards for."""
_SEEN: Final = 1.5
"""What a theft gains by seeing cards first."""
_RID: Final = 4.0
"""What contraband costs who gets it."""


class Way(NamedTuple):
    """A move and what it gains, in cards."""

    gain: float
    move: str


async def ways(table: Table, choices: Choices, firsts: Sequence[str]) -> list[Way]:
    """The ways to act; empty when nothing but an offer is possible."""
    found = [Way(0.0, text) for text in firsts if not text.endswith(":") and text != "draw"]
    draw = drawn(table)
    if "draw" in firsts:
        found.append(Way(_draw(table, draw), "draw"))
    if "play:local_guide" in firsts:
        found.append(Way(gain(table, without=["local_guide"]) + _guided(table), "play:local_guide"))
    if "recycle:" in firsts:
        found += await _recycles(table, choices)
    if "steal:" in firsts:
        found += await _steals(table, choices)
    if "dispose:" in firsts:
        found += await _disposals(table, choices)
    if "gift:" in firsts:
        found += _gifts(table)
    if "play:sticky_fingers:" in firsts:
        found += _fingers(table)
    if "play:poorly_drawn_map:" in firsts:
        found += await _maps(table, choices)
    if "play:trading_post:" in firsts:
        found += await _posts(table, choices, draw)
    return found


def _draw(table: Table, one: float) -> float:
    value = one
    if table.ability("globetrotter"):
        value = 1.6 * one
    over = table.hand.total() + 1 - table.limit
    return value + (gain(table, without=cheapest(table, 1)) if over > 0 else 0.0)


def _guided(table: Table) -> float:
    """The best of five unseen cards, roughly: the chance of each lacked card."""
    total = max(1, table.unseen.total())
    best = 0.0
    missed = 1.0
    for card, count in sorted(table.unseen.items(), key=lambda item: -gain(table, item[0])):
        there = 1.0 - (1.0 - count / total) ** 5
        best += missed * there * max(0.0, gain(table, card))
        missed *= 1.0 - there
    return best


async def _recycles(table: Table, choices: Choices) -> list[Way]:
    found = []
    for card in dict.fromkeys(table.game.discard):
        # The cheapest payment may be no payment that counts: the price depends on the card.
        pay = cheapest(table, 2)
        price = 1 if table.ability("eco_tourist") and card in list(table.game.discard)[-3:] else 2
        value = gain(table, card, without=pay[:price])
        if value > 0 and len(pay) >= price:
            move = await paid(table, choices, f"recycle:{card}:", pay)
            if move:
                found.append(Way(value, move))
    return found


async def _steals(table: Table, choices: Choices) -> list[Way]:
    pay = cheapest(table, 1)
    found = []
    for seat in table.others:
        if table.game.places[seat].hand_size:
            value = stolen(table, seat) + gain(table, without=pay)
            value += weight(table, seat) * average_loss(table, seat)
            if table.ability("pickpocket"):
                value += _SEEN
            found.append(Way(value, await paid(table, choices, f"steal:{seat}:", pay)))
    return [way for way in found if way.move]


async def _disposals(table: Table, choices: Choices) -> list[Way]:
    pay = cheapest(table, 1)
    card = next(card for card in table.order if is_contraband(card))
    move = await paid(table, choices, f"dispose:{card}:", pay)
    return [Way(gain(table, without=[card, *pay]), move)] if move else []


def _gifts(table: Table) -> list[Way]:
    card = next(card for card in table.order if is_contraband(card))
    relief = gain(table, without=[card])
    return [Way(relief + _RID * weight(table, seat), f"gift:{seat}:{card}") for seat in table.others]


def _fingers(table: Table) -> list[Way]:
    """The card that the hand is most likely to have for the seat."""
    price = gain(table, without=["sticky_fingers"])
    found = []
    for seat in table.others:
        if table.game.places[seat].hand_size:
            cards = table.unseen + table.known[seat]
            best = max((gain(table, card) * table.holds(seat, card) for card in cards), default=0.0)
            found.append(Way(price + best + weight(table, seat) * _CHOSEN, f"play:sticky_fingers:{seat}"))
    return found


async def _maps(table: Table, choices: Choices) -> list[Way]:
    price = gain(table, without=["poorly_drawn_map"])
    able = {choice.text for choice in await choices("play:poorly_drawn_map:")}
    found = []
    following = list(table.game.aside) or list(table.game.queue)[:1]
    now = worth(table, table.hand)
    own = f"play:poorly_drawn_map:{table.seat}"
    if own in able and following:
        after = sum(worth(table.heading(REQUIRES.get(country, ())), table.hand) for country in following)
        found.append(Way(price + after / len(following) - now, own))
    for seat in table.others:
        if f"play:poorly_drawn_map:{seat}" in able:
            found.append(Way(price + weight(table, seat) * _CHOSEN, f"play:poorly_drawn_map:{seat}"))
    return found


async def _posts(table: Table, choices: Choices, draw: float) -> list[Way]:
    """Puts those cards under the pile that are worth less than a drawn one."""
    price = gain(table, without=["trading_post"])
    put = cheapest(table, 3, keep=["trading_post"])
    values = [(gain(table, without=put[:count]) + count * draw, count) for count in range(1, len(put) + 1)]
    if not values:
        return []
    value, count = max(values)
    begun = "play:trading_post:" + "".join(f"{card}+" for card in in_order(table, put[:count])[:-1])
    move = begun + in_order(table, put[:count])[-1]
    legal = any(choice.text == move for choice in await choices(begun))
    return [Way(price + value, move)] if legal else []
