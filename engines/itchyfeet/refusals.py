"""How moves are refused: the texts tell a seat nothing but what it sees itself."""

from __future__ import annotations

from collections.abc import Sequence

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
        need(False, f"{len(cards)} cards are named", rule, f"{count} cards")
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
