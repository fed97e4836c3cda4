"""Offers part by part: what is given, then what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.parts import SEAT_TARGETS, card_parts
from engines.itchyfeet.state import Rules, State
from engines.kit.game import Choice
from engines.kit.tuples import new


def offer_choices(state: State, seat: int, to: int, head: str, lists: str) -> Sequence[Choice]:
    """What follows `head` and the lists begun so far: `cam`, `camera`, `camera+`, `camera>`, `camera>sunscreen`."""
    deck, hand = state.deck, state.hands[seat]
    target = SEAT_TARGETS[to]
    if not lists:
        return card_parts(deck, head, hand, about=target, complete=False)
    held = {card: hand.count(card) for card in hand}
    given_text, asks, asked_text = lists.partition(">")
    if not asks:
        return _list(deck, target, head, given_text, held, len(hand), gives=True)
    given = _begun(deck, given_text, held)
    if not given:
        return []
    targets, before, most = target + _targets(deck, given), f"{head}{given_text}>", len(state.hands[to])
    if not asked_text and most:
        return _asked(deck, state.rules, before, targets)
    able = rules.askable(deck, state.rules)
    return _list(deck, targets, before, asked_text, able, most, gives=False)


@lru_cache(maxsize=512)
def _asked(deck: Deck, options: Rules, before: str, targets: tuple[str, ...]) -> Sequence[Choice]:
    """A choice for each card that can be asked for first. Many, and the same for all hands, so they are kept."""
    return tuple(_each(deck, rules.askable(deck, options), before, targets, complete=True))


def _each(
    deck: Deck, cards: Iterable[int], before: str, targets: tuple[str, ...], *, complete: bool
) -> Sequence[Choice]:
    ids, touched = deck.card_ids, deck.targets
    return [new(Choice, (before + ids[card], targets + touched[card], complete)) for card in cards]


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
    before = f"{head}{done}{plus}"
    fitting = able if not begun else _after(begun, able)
    if not last:
        return _each(deck, fitting, before, targets, complete=not gives)
    found = []
    for card in fitting:
        name = deck.card_ids[card]
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
