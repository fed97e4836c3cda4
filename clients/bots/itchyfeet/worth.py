"""What hands are worth, in cards: a card that does nothing but pay for something is worth about one at most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from clients.bots.itchyfeet.cards import CONTRABAND, EVENTS, ITEMS, STAND_IN, is_contraband, is_passport, is_postcard
from clients.bots.itchyfeet.table import Table

_ITEMS: Final = (0.0, 2.2, 5.2, 10.0, 13.0)
"""By how many items of the next travel are held: the last ones are the hardest to find."""
_LATER: Final = (0.0, 1.2, 3.0, 5.0, 6.0)
"""The same for the travel after it."""
_PASSPORT: Final = 7.0
_MORE_PASSPORTS: Final = 1.0
_SPARE: Final = (0.0, 1.0, 1.9, 2.6, 3.1, 3.4, 3.6, 3.7)
"""By how many cards are held that only pay."""
_POSTCARDS: Final = (0.0, 1.0, 2.2, 5.0, 100.0)
_CONTRABAND: Final = -4.5
_READY: Final = -3.0
"""What contraband costs beside, when nothing else keeps from travelling."""
_STAND_IN: Final = 0.9
"""A stand-in for an item, as a part of it."""
_SPECIAL: Final = {
    STAND_IN: 1.5,
    "mousetrap": 1.3,
    "local_guide": 2.0,
    "trading_post": 1.2,
    "poorly_drawn_map": 1.2,
    "sticky_fingers": 2.4,
    "red_eye_flight": 2.2,
    "duty_free_voucher": 2.0,
    "lost_reservation": 1.8,
}
_LAST_CARD: Final = -3.0
_LOSS: Final = {True: 3.0, False: 0.8}
"""What another seat loses with an item: one that its travel takes, any other."""


def worth(table: Table, hand: Mapping[str, int]) -> float:
    """What the hand is worth to the seat of the table; cards that it holds none of may stand there with 0 or less."""
    fitting = later = spare = postcards = passports = contraband = 0
    total, stand_in = 0.0, False
    needed, after = table.needed, table.later
    for card, count in hand.items():
        if count <= 0:
            continue
        if is_passport(card):
            passports += count
        elif is_postcard(card):
            postcards += count
        elif card in _SPECIAL:
            total += _SPECIAL[card]
            stand_in |= card == STAND_IN
        elif card in CONTRABAND:
            contraband += count
        elif card not in EVENTS:
            now = min(count, needed[card])
            next_ = min(count - now, after[card])
            fitting, later, spare = fitting + now, later + next_, spare + count - now - next_
    total += _at(_ITEMS, fitting) + _at(_LATER, later) + _at(_SPARE, spare) + _at(_POSTCARDS, postcards)
    lacking = table.places - fitting
    if lacking and stand_in:
        total += _STAND_IN * (_at(_ITEMS, fitting + 1) - _at(_ITEMS, fitting)) - _SPECIAL[STAND_IN]
        lacking -= 1
    if passports:
        total += _PASSPORT + _MORE_PASSPORTS * (passports - 1)
    if contraband:
        total += _CONTRABAND * contraband + (0.0 if lacking or not passports else _READY)
    return total


def _at(values: tuple[float, ...], count: int) -> float:
    return values[min(count, len(values) - 1)]


def gain(table: Table, *cards: str, without: Sequence[str] = ()) -> float:
    """What the seat gains by the cards, when it gives away others."""
    key = (cards, tuple(without))
    if key not in table.gains:
        hand = dict(table.hand)
        for card in cards:
            hand[card] = hand.get(card, 0) + 1
        for card in without:
            hand[card] -= 1
        table.gains[key] = worth(table, hand) - _now(table)
    return table.gains[key]


def _now(table: Table) -> float:
    if table.value is None:
        table.value = worth(table, table.hand)
    return table.value


def cheapest(table: Table, count: int, keep: Sequence[str] = ()) -> list[str]:
    """The cards of the hand that it misses least, one after the other; no contraband, and none to `keep`."""
    hand, found = Counter(table.hand), []
    able = Counter({card: held for card, held in (hand - Counter(keep)).items() if not is_contraband(card)})
    for _ in range(min(count, able.total())):
        card = max(able, key=lambda one: (worth(table, hand - Counter((one,))), one))
        hand -= Counter((card,))
        able -= Counter((card,))
        found.append(card)
    return found


def drawn(table: Table) -> float:
    """What a card off the draw pile brings on average."""
    return _average(table, table.unseen)


def stolen(table: Table, seat: int) -> float:
    """What a random card of another hand brings on average."""
    size = table.game.places[seat].hand_size
    known = sum(gain(table, card) * count for card, count in table.known[seat].items())
    cards = table.unseen - Counter(dict.fromkeys(EVENTS, 1))
    return (known + _average(table, cards) * table.hidden(seat)) / size if size else 0.0


def _average(table: Table, cards: Counter[str]) -> float:
    total = cards.total()
    return sum(gain(table, card) * count for card, count in cards.items()) / total if total else 0.0


def loss(table: Table, seat: int, card: str) -> float:
    """What another seat loses with the card, as far as can be told."""
    if is_passport(card):
        return _PASSPORT
    if is_contraband(card):
        return _CONTRABAND
    if card in ITEMS:
        return _LOSS[card in table.game.places[seat].requires]
    return _SPECIAL.get(card, 1.2)


def average_loss(table: Table, seat: int) -> float:
    """What another seat loses on average with a random card; with its last one it gains, for it draws three."""
    size = table.game.places[seat].hand_size
    if not size:
        return 0.0
    if size == 1:
        return _LAST_CARD
    known = table.known[seat]
    total = sum(loss(table, seat, card) * count for card, count in known.items())
    hidden = table.hidden(seat)
    if hidden and not any(is_passport(card) for card in known):
        total += _PASSPORT * 0.8
        hidden -= 1
    return (total + 1.7 * hidden) / size


def weight(table: Table, seat: int) -> float:
    """How much the seat gains by another one's loss."""
    return (0.5 if table.leads(seat) else 0.25) / len(table.others)
