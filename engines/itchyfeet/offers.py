"""Offers part by part: what is given, then what is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.state import State
from engines.kit.game import Choice


def offer_choices(state: State, seat: int, to: int, head: str, lists: str) -> Sequence[Choice]:
    """What follows `head` and the lists begun so far: `cam`, `camera`, `camera+`, `camera>`, `camera>sunscreen`."""
    deck = state.deck
    given_text, asks, asked_text = lists.partition(">")
    hand = state.hands[seat]
    held = {card: hand.count(card) for card in hand}
    target = (f"seat:{to}",)
    if not asks:
        return _list(deck, target, head, given_text, held, len(hand), gives=True)
    given = _begun(deck, given_text, held)
    if not given:
        return []
    targets = target + _targets(deck, given)
    able = rules.askable(deck, state.rules)
    return _list(deck, targets, f"{head}{given_text}>", asked_text, able, len(state.hands[to]), gives=False)


def _list(
    deck: Deck, targets: tuple[str, ...], head: str, text: str, able: Mapping[int, int], most: int, *, gives: bool
) -> Sequence[Choice]:
    """The list that is being made, of what is given or of what is asked for; the latter can end with any card."""
    done, plus, last = text.rpartition("+")
    begun = _begun(deck, done, able) if plus else ()
    if begun is None or len(begun) >= most:
        return []
    if begun:
        targets += _targets(deck, begun)
    cards, before = deck.cards, f"{head}{done}{plus}"
    fitting = able if not begun else _after(begun, able)
    if not last:
        if gives:
            return [Choice(before + cards[card].id, targets + deck.targets[card], False) for card in fitting]
        return _asked(deck, tuple(fitting), before, targets)
    found = []
    for card in fitting:
        name = cards[card].id
        if not name.startswith(last):
            continue
        with_it = targets + deck.targets[card]
        if name != last:
            found.append(Choice(before + name, with_it, not gives))
            continue
        listed = (*begun, card)
        if len(listed) < most and _after(listed, able):
            found.append(Choice(f"{head}{text}+", with_it, False))
        if gives:
            found.append(Choice(f"{head}{text}>", with_it, False))
    return found


@lru_cache(maxsize=512)
def _asked(deck: Deck, cards: Cards, before: str, targets: tuple[str, ...]) -> tuple[Choice, ...]:
    """A choice for each card that can be asked for next. Many, and the same for all hands, so they are kept."""
    return tuple(Choice(before + deck.cards[card].id, targets + deck.targets[card]) for card in cards)


def _targets(deck: Deck, cards: Cards) -> tuple[str, ...]:
    return tuple([target for card in cards for target in deck.targets[card]])


def _after(listed: Cards, able: Mapping[int, int]) -> list[int]:
    """What can come next in the list, in the order of the deck."""
    last = listed[-1]
    return [card for card, count in able.items() if card > last or (card == last and listed.count(card) < count)]


def _begun(deck: Deck, text: str, able: Mapping[int, int]) -> Cards | None:
    """The cards of a list; None when it is no legal one."""
    cards = tuple([deck.numbers.get(name, -1) for name in text.split("+")])
    for card in cards:
        if cards.count(card) > able.get(card, 0):
            return None
    return cards if len(cards) == 1 or list(cards) == sorted(cards) else None
