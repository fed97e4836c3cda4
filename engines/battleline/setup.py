"""Dealing a game (rules §2)."""

from __future__ import annotations

from engines.battleline.cards import TACTICS, TROOPS, value
from engines.battleline.state import HAND, Cards, First, Result, Rules, State
from engines.kit.game import Draw


def first_game(rules: Rules, draw: Draw) -> State:
    """The first game of a match: the starter is found by the option, then the cards are dealt."""
    cut: Cards = ()
    if rules.first is First.RANDOM:
        starter = draw.below(2, "starter")
    elif rules.first in (First.HIGH_CUT_STARTS, First.HIGH_CUT_DEALS):
        cut = _cut(draw)
        higher = 0 if value(cut[0]) > value(cut[1]) else 1
        starter = higher if rules.first is First.HIGH_CUT_STARTS else 1 - higher
    else:
        starter = 0 if rules.first is First.SEAT_0 else 1
    return deal(rules, draw, starter, cut)


def _cut(draw: Draw) -> Cards:
    """One troop for each seat; the next two of the deck while their values are equal."""
    while True:
        order = _shuffled(range(TROOPS), draw, "cut")
        for at in range(0, TROOPS, 2):
            if value(order[at]) != value(order[at + 1]):
                return order[at : at + 2]


def deal(rules: Rules, draw: Draw, starter: int, cut: Cards = (), results: tuple[Result, ...] = ()) -> State:
    """A new game: seven troops for each seat, both decks face down."""
    troops = _shuffled(range(TROOPS), draw, "troops")
    tactics = _shuffled(TACTICS, draw, "tactics") if rules.tactics else ()
    return dealt(rules, (troops[:HAND], troops[HAND : 2 * HAND]), (troops[2 * HAND :], tactics), starter, cut, results)


def _shuffled(cards: range, draw: Draw, purpose: str) -> Cards:
    return tuple(card for card in draw.shuffle(cards, purpose) if isinstance(card, int))


def dealt(
    rules: Rules,
    hands: tuple[Cards, Cards],
    decks: tuple[Cards, Cards],
    starter: int,
    cut: Cards = (),
    results: tuple[Result, ...] = (),
) -> State:
    """The start of a game with given hands, and decks in the order in which they will be drawn."""
    first, second = (tuple(sorted(hand)) for hand in hands)
    troops, tactics = (tuple(reversed(deck)) for deck in decks)
    return State(rules, (first, second), (troops, tactics), turn=starter, starter=starter, cut=cut, results=results)
