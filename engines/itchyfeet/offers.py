"""Offers part by part: what is given, then what is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.state import State
from engines.kit.game import Choice


def offer_choices(state: State, seat: int, to: int, head: str, lists: str) -> Iterator[Choice]:
    """What follows `head` and the lists begun so far: `cam`, `camera`, `camera+`, `camera>`, `camera>sunscreen`."""
    given_text, asks, asked_text = lists.partition(">")
    hand = state.hands[seat]
    held = {card: hand.count(card) for card in hand}
    if not asks:
        yield from _list(state, to, head, given_text, (), held, len(hand))
        return
    given = _begun(state, given_text, held)
    if given:
        askable = {card: state.deck.cards[card].copies for card in rules.askable(state)}
        yield from _list(state, to, f"{head}{given_text}>", asked_text, given, askable, len(state.hands[to]))


def _list(
    state: State, to: int, head: str, text: str, given: Cards, able: dict[int, int], most: int
) -> Iterator[Choice]:
    """The list that is being made; with cards `given` it is the one of cards asked for."""
    done, plus, last = text.rpartition("+")
    begun = _begun(state, done, able) if plus else ()
    if begun is None or len(begun) >= most:
        return
    before = begun[-1] if begun else -1
    for card, count in able.items():
        name = state.deck.cards[card].id
        if card < before or not name.startswith(last) or begun.count(card) >= count:
            continue
        listed = (*begun, card)
        targets = (f"seat:{to}", *(f"card:{state.deck.cards[one].id}" for one in (*given, *listed)))
        if name != last:
            yield Choice(f"{head}{done}{plus}{name}", targets, bool(given))
            continue
        if len(listed) < most and any(one >= card and listed.count(one) < limit for one, limit in able.items()):
            yield Choice(f"{head}{text}+", targets, False)
        if not given:
            yield Choice(f"{head}{text}>", targets, False)


def _begun(state: State, text: str, able: dict[int, int]) -> Cards | None:
    """The cards of a list; None when it is no legal one."""
    cards = tuple(state.deck.numbers.get(name, -1) for name in text.split("+"))
    fits = all(cards.count(card) <= able.get(card, 0) for card in cards)
    return cards if fits and list(cards) == sorted(cards) else None
