"""The legal ways to go on with a move, part by part."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engines.itchyfeet import effects
from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.lists import cost_choices, ordered_choices
from engines.itchyfeet.offers import offer_choices
from engines.itchyfeet.parts import SEAT_TARGETS, card_parts, seat_parts
from engines.itchyfeet.state import NONE, Kind, State, Task
from engines.kit.game import Choice

Found = Sequence[Choice]


def choices(state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
    """The parts that can follow `prefix`, which may also be the beginning of a part; empty when nothing begins so."""
    if not rules.can_act(state, seat):
        return ()
    task = state.agenda[-1]
    if not prefix:
        return _first(state, seat, task)
    verb, colon, rest = prefix.partition(":")
    following = _FOLLOWING.get((task.kind, verb)) if colon else None
    if following is None:
        found = _first(state, seat, task)
    elif task.kind is Kind.ACTION and verb != "play" and seat != state.active:
        return ()
    else:
        found = following(state, seat, task, rest)
    if not found or (following and prefix[-1] in _ENDS and found[0].text.startswith(prefix)):
        return found
    size = len(prefix)
    return [choice for choice in found if len(choice.text) > size and choice.text.startswith(prefix)]


_ENDS: Final = ":+>"
"""What finished parts end with; all that can follow them begins with them."""


def _first(state: State, seat: int, task: Task) -> Found:
    """The parts that a move can begin with."""
    kind = task.kind
    if kind is Kind.ACTION:
        return _actions(state, seat)
    if kind is Kind.OFFER:
        return _replies(state, seat, task)
    if kind is Kind.WINDOW:
        return [Choice("pass"), *card_parts(state.deck, "block:", rules.blockers(state, seat))]
    if kind is Kind.TOUR:
        return card_parts(state.deck, "pick:", state.hands[seat])
    if kind is Kind.GUIDE:
        able = [card for card in task.cards if card not in state.deck.events]
        return [Choice("take:none"), *card_parts(state.deck, "take:", able)]
    if kind is Kind.TAKE:
        return card_parts(state.deck, "take:", task.cards)
    if kind is Kind.TROT:
        return card_parts(state.deck, "discard:", rules.costs(state, seat)) or [Choice("pass")]
    if kind is Kind.DRAW:
        return [_DRAW]
    return _discards(state, seat, task, "")


_DRAW: Final = Choice("draw", ("pile",))
_RECYCLE: Final = Choice("recycle:", ("discard",), False)
_STEAL, _DISPOSE, _GIFT, _OFFER, _COUNTER = (
    Choice(text, (), False) for text in ("steal:", "dispose:", "gift:", "offer:", "counter:")
)


def _actions(state: State, seat: int) -> Found:
    found: list[Choice] = []
    deck = state.deck
    if seat == state.active:
        if rules.can_draw(state):
            found.append(_DRAW)
        for card in rules.travels(state, seat):
            country = f"country:{deck.countries[state.target(seat)].id}"
            if card == NONE:
                found.append(Choice("travel", (country,)))
            else:
                found.append(Choice(f"travel:{deck.card_ids[card]}", (country, *deck.targets[card])))
        others, able = rules.robbable(state, seat), rules.costly(state, seat)
        if able >= deck.constants.recycle_cost or (able and rules.recyclable(state, seat)):
            found.append(_RECYCLE)
        if others and able:
            found.append(_STEAL)
        if able < len(state.hands[seat]):
            if able:
                found.append(_DISPOSE)
            if rules.gifts(state, seat):
                found.append(_GIFT)
        idle = not found
        if others and rules.offers_left(state, seat):
            found.append(_OFFER)
        if idle and rules.must_pass(state, seat):
            found.append(Choice("pass"))
    for card in rules.playable(state, seat):
        more = deck.effects[card] in _LONG_PLAYS
        found.append(Choice(f"play:{deck.card_ids[card]}{':' if more else ''}", deck.targets[card], not more))
    return found


def _replies(state: State, seat: int, task: Task) -> Found:
    hand = state.hands[seat]
    found = [Choice("decline")]
    if all(task.more.count(card) <= hand.count(card) for card in task.more):
        found.insert(0, Choice("accept"))
    if state.offers < state.deck.constants.trade_offers_per_turn:
        found.append(_COUNTER)
    return found


def _offers(state: State, seat: int, task: Task, rest: str) -> Found:
    partners = rules.offer_partners(state, seat)
    to, colon, lists = rest.partition(":")
    if not colon:
        return seat_parts("offer:", partners, end=":")
    if to not in map(str, partners):
        return []
    return offer_choices(state, seat, int(to), f"offer:{to}:", lists)


def _counters(state: State, seat: int, task: Task, rest: str) -> Found:
    if state.offers >= state.deck.constants.trade_offers_per_turn:
        return []
    return offer_choices(state, seat, task.other, "counter:", rest)


def _recycles(state: State, seat: int, task: Task, rest: str) -> Found:
    able = rules.recyclable(state, seat)
    wanted, colon, paid = rest.partition(":")
    if not colon:
        return card_parts(state.deck, "recycle:", able, end=":")
    card = state.deck.numbers.get(wanted, NONE)
    if card not in able:
        return []
    must = NONE if card in state.discard else card
    price = rules.recycle_price(state, seat, card)
    return cost_choices(state.deck, f"recycle:{wanted}:", paid, rules.costs(state, seat), price, must)


def _steals(state: State, seat: int, task: Task, rest: str) -> Found:
    return _to_seat(state, "steal:", rest, rules.robbable(state, seat), rules.costs(state, seat))


def _gifts(state: State, seat: int, task: Task, rest: str) -> Found:
    others = [other for other in state.staying() if other != seat]
    return _to_seat(state, "gift:", rest, others, rules.gifts(state, seat))


def _to_seat(state: State, verb: str, rest: str, seats: Sequence[int], cards: Cards) -> Found:
    """A seat, then a card for it."""
    to, colon, _ = rest.partition(":")
    if not cards:
        return []
    if not colon:
        return seat_parts(verb, seats, end=":")
    if to not in map(str, seats):
        return []
    return card_parts(state.deck, f"{verb}{to}:", cards, about=SEAT_TARGETS[int(to)])


def _disposals(state: State, seat: int, task: Task, rest: str) -> Found:
    able = rules.disposable(state, seat)
    name, colon, _ = rest.partition(":")
    if not colon:
        return card_parts(state.deck, "dispose:", able, end=":")
    card = state.deck.numbers.get(name, NONE)
    if card not in able:
        return []
    target = state.deck.targets[card]
    return card_parts(state.deck, f"dispose:{name}:", rules.costs(state, seat), about=target)


_LONG_PLAYS: Final = frozenset({effects.MAP, effects.FINGERS, effects.POST})


def _plays(state: State, seat: int, task: Task, rest: str) -> Found:
    name, colon, begun = rest.partition(":")
    card = state.deck.numbers.get(name, NONE)
    if not colon or card not in rules.playable(state, seat):
        return _actions(state, seat)
    kind = state.deck.effects[card]
    if kind == effects.MAP:
        return seat_parts(f"play:{name}:", rules.mappable(state))
    if kind == effects.FINGERS:
        return seat_parts(f"play:{name}:", rules.robbable(state, seat))
    effect = state.deck.cards[card].effect
    if kind != effects.POST or effect is None:
        return []
    able = rules.postable(state, seat, card)
    return ordered_choices(state.deck, f"play:{name}:", begun, able, effect.number("min"), effect.number("max"))


def _discards(state: State, seat: int, task: Task, rest: str) -> Found:
    count = len(state.hands[seat]) - rules.limit(state, seat)
    return cost_choices(state.deck, "discard:", rest, rules.costs(state, seat), count, NONE)


_FOLLOWING: Final[Mapping[tuple[Kind, str], Callable[[State, int, Task, str], Found]]] = {
    (Kind.ACTION, "offer"): _offers,
    (Kind.ACTION, "recycle"): _recycles,
    (Kind.ACTION, "steal"): _steals,
    (Kind.ACTION, "dispose"): _disposals,
    (Kind.ACTION, "gift"): _gifts,
    (Kind.ACTION, "play"): _plays,
    (Kind.OFFER, "counter"): _counters,
    (Kind.LIMITS, "discard"): _discards,
}
"""What can follow a verb that begins a move of several parts."""
