"""How moves are refused: the texts tell a seat nothing but what it sees itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.state import State
from engines.kit.game import IllegalMove


def need(condition: object, what: str, rule: str, expected: str) -> None:
    """Raises `IllegalMove` unless the condition holds."""
    if not condition:
        raise IllegalMove(what, rule=rule, expected=expected)


def need_cards(state: State, seat: int, cards: Sequence[int], rule: str) -> None:
    """The seat holds all the cards."""
    hand = list(state.hands[seat])
    for card in cards:
        if card not in hand:
            need(False, f"{state.deck.card_ids[card]} is not in your hand", rule, "cards of your hand")
        hand.remove(card)


def need_cost(state: State, seat: int, cards: Cards, count: int, rule: str) -> None:
    """The cards are as many as have to be discarded, held, in order, and none of them contraband."""
    if len(cards) != count:
        verb = "is" if len(cards) == 1 else "are"
        need(False, f"{card_count(len(cards))} {verb} named", rule, card_count(count))
    need_order(cards)
    need_cards(state, seat, cards, rule)
    need(
        state.deck.contraband.isdisjoint(cards),
        "contraband cannot be discarded so",
        rule,
        "cards that are not contraband",
    )


def need_order(cards: Cards) -> None:
    """The cards stand in the order of the deck."""
    need(
        len(cards) == 1 or list(cards) == sorted(cards),
        "the cards are not in order",
        "notation",
        "cards in the order of the deck",
    )


def refuse_travel(state: State, seat: int) -> NoReturn:
    """Tells why the seat has no way to travel (2.4)."""
    deck, hand = state.deck, state.hands[seat]
    need(not state.travelled, "you have travelled this turn", "6.3", "another action")
    need(not deck.passports.isdisjoint(hand), "no passport is in your hand", "2.4", "another action")
    need(deck.contraband.isdisjoint(hand), "contraband is in your hand", "2.4", "another action, to get rid of it")
    missing = ", ".join(deck.ids(rules.missing(state, seat)))
    raise IllegalMove(f"you lack {missing}", rule="2.4", expected="another action")


def card_count(count: int) -> str:
    """So many cards."""
    return f"{count} card{'' if count == 1 else 's'}"
