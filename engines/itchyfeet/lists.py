"""Lists of cards in moves, card by card: what is paid or discarded, and what goes under the draw pile."""

from __future__ import annotations

from collections.abc import Sequence

from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.state import NONE
from engines.kit.game import Choice


def cost_choices(deck: Deck, head: str, text: str, hand: Cards, count: int, must: int) -> list[Choice]:
    """The next card of `count` that are given up of the sorted `hand`; one of them is `must` where that is a card.

    `text` is the list so far; its last, unfinished card is left to the caller. Cards stand in the order of the deck.
    """
    begun = _begun(deck, text)
    rest = None if begun is None else _without(hand, begun)
    if begun is None or rest is None or list(begun) != sorted(begun):
        return []
    left = count - len(begun)
    if left < 1:
        return []
    wanted = NONE if must in begun else must
    able: list[int] = []
    least = begun[-1] if begun else NONE
    for at, card in enumerate(rest[: len(rest) - left + 1]):
        if card < least or (at and card == rest[at - 1]):
            continue
        if wanted == NONE or card == wanted or (card < wanted and left > 1):
            able.append(card)
    end = "+" if left > 1 else ""
    return _listed(deck, head, begun, able, (end,))


def ordered_choices(deck: Deck, head: str, text: str, able: Cards, least: int, most: int) -> list[Choice]:
    """The next card of at `least` and at `most` so many of the `able` ones, in any order; `text` as above."""
    begun = _begun(deck, text)
    rest = None if begun is None else _without(able, begun)
    most = min(most, len(able))
    if begun is None or rest is None or len(begun) >= most:
        return []
    size = len(begun) + 1
    ends = [*([""] if size >= least else []), *(["+"] if size < most else [])]
    return _listed(deck, head, begun, sorted(set(rest)), ends)


def _listed(deck: Deck, head: str, begun: Cards, cards: Sequence[int], ends: Sequence[str]) -> list[Choice]:
    """The list with each of the cards, complete or, where it has to go on, with `+`."""
    before = head + "".join([f"{deck.card_ids[card]}+" for card in begun])
    targets = tuple([target for card in begun for target in deck.targets[card]])
    return [
        Choice(f"{before}{deck.card_ids[card]}{end}", targets + deck.targets[card], not end)
        for card in cards
        for end in ends
    ]


def _begun(deck: Deck, text: str) -> Cards | None:
    """The finished cards of a list; None when there is no such card."""
    done, plus, _ = text.rpartition("+")
    if not plus:
        return ()
    cards = tuple([deck.numbers.get(name, NONE) for name in done.split("+")])
    return None if NONE in cards else cards


def _without(cards: Cards, taken: Cards) -> list[int] | None:
    """The cards that are left; None when not all that are taken are there."""
    left = list(cards)
    for card in taken:
        if card not in left:
            return None
        left.remove(card)
    return left
