"""The legal ways to go on with a move, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Final

from engines.itchyfeet import effects
from engines.itchyfeet import legal as rules
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.offers import offer_choices
from engines.itchyfeet.state import NONE, Kind, State, Task
from engines.kit.game import Choice


def choices(state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
    """The parts that can follow `prefix`, which may also be the beginning of a part; empty when nothing begins so."""
    task = state.top()
    if task is None or (seat not in rules.awaited(state) and seat not in rules.may_act(state)):
        return ()
    if prefix.startswith(("offer:", "counter:")):
        return list(_offers(state, seat, task, prefix))
    begun, colon, _ = prefix.partition(":")
    if colon and task.kind is Kind.ACTION and begun in _LONG:
        first: Iterable[Choice] = [Choice(f"{begun}:", (), False)] if _LONG[begun](state, seat) else ()
    else:
        first = _first(state, seat, task)
    return list(_fitting(state, seat, first, prefix)) if prefix else list(first)


def _fitting(state: State, seat: int, found: Iterable[Choice], prefix: str) -> Iterator[Choice]:
    for choice in found:
        if len(choice.text) > len(prefix):
            if choice.text.startswith(prefix):
                yield choice
        elif prefix.startswith(choice.text):
            yield from _fitting(state, seat, _next(state, seat, choice.text), prefix)


def _offers(state: State, seat: int, task: Task, prefix: str) -> Iterator[Choice]:
    """Offers have many parts, so they are not looked for from the first one on."""
    verb, _, rest = prefix.partition(":")
    if verb == "counter":
        if task.kind is Kind.OFFER and state.offers < state.deck.constants.trade_offers_per_turn:
            yield from offer_choices(state, seat, task.other, "counter:", rest)
    elif task.kind is Kind.ACTION and seat == state.active:
        for to in rules.offer_partners(state, seat):
            if not rest or (rest == str(to)):
                yield Choice(f"offer:{to}:", (f"seat:{to}",), False)
            elif rest.startswith(f"{to}:"):
                yield from offer_choices(state, seat, to, f"offer:{to}:", rest[2:])


def _card(state: State, card: int) -> str:
    return f"card:{state.deck.cards[card].id}"


def _id(state: State, card: int) -> str:
    return state.deck.cards[card].id


def _kinds(cards: Cards) -> Cards:
    return tuple(dict.fromkeys(cards))


def _first(state: State, seat: int, task: Task) -> Iterator[Choice]:
    if task.kind is Kind.ACTION:
        yield from _actions(state, seat)
    elif task.kind is Kind.OFFER:
        yield from _replies(state, seat, task)
    elif task.kind is Kind.WINDOW:
        yield Choice("pass")
        yield from _each(state, "block:", rules.blockers(state, seat))
    elif task.kind is Kind.TOUR:
        yield from _each(state, "pick:", _kinds(state.hands[seat]))
    elif task.kind is Kind.GUIDE:
        yield Choice("take:none")
        yield from _each(state, "take:", (card for card in _kinds(task.cards) if card not in state.deck.events))
    elif task.kind is Kind.TAKE:
        yield from _each(state, "take:", _kinds(task.cards))
    elif task.kind is Kind.TROT:
        able = rules.unprotected(state, seat)
        yield from _each(state, "discard:", able)
        if not able:
            yield Choice("pass")
    elif task.kind is Kind.DRAW:
        yield Choice("draw", ("pile",))
    else:
        yield from _lists(state, "discard:", (), _discards(state, seat))


def _each(state: State, verb: str, cards: Iterable[int]) -> Iterator[Choice]:
    for card in cards:
        yield Choice(f"{verb}{_id(state, card)}", (_card(state, card),))


def _actions(state: State, seat: int) -> Iterator[Choice]:
    if seat == state.active:
        if rules.can_draw(state):
            yield Choice("draw", ("pile",))
        for card in rules.travels(state, seat):
            country = f"country:{state.deck.countries[state.target(seat)].id}"
            if card == NONE:
                yield Choice("travel", (country,))
            else:
                yield Choice(f"travel:{_id(state, card)}", (country, _card(state, card)))
        for verb, able in _LONG.items():
            if able(state, seat):
                yield Choice(f"{verb}:", ("discard",) if verb == "recycle" else (), False)
        if rules.offer_partners(state, seat):
            yield Choice("offer:", (), False)
        if rules.must_pass(state, seat):
            yield Choice("pass")
    for card in rules.playable(state, seat):
        kind = state.deck.effects[card]
        more = kind in (effects.MAP, effects.FINGERS, effects.POST)
        yield Choice(f"play:{_id(state, card)}{':' if more else ''}", (_card(state, card),), not more)


def _can_steal(state: State, seat: int) -> bool:
    return bool(rules.costly(state, seat) and rules.robbable(state, seat))


_LONG: Final[Mapping[str, Callable[[State, int], object]]] = {
    "recycle": lambda state, seat: seat == state.active and rules.recyclable(state, seat),
    "steal": lambda state, seat: seat == state.active and _can_steal(state, seat),
    "dispose": lambda state, seat: seat == state.active and rules.disposable(state, seat),
    "gift": lambda state, seat: seat == state.active and rules.gifts(state, seat),
}
"""Actions of several parts, and when they are possible."""


def _replies(state: State, seat: int, task: Task) -> Iterator[Choice]:
    hand = list(state.hands[seat])
    if all(task.more.count(card) <= hand.count(card) for card in task.more):
        yield Choice("accept")
    yield Choice("decline")
    if state.offers < state.deck.constants.trade_offers_per_turn:
        yield Choice("counter:", (), False)


def _next(state: State, seat: int, text: str) -> Iterator[Choice]:
    """What follows a text that is whole parts."""
    verb, _, rest = text.partition(":")
    if verb in ("steal", "gift"):
        yield from _to_seat(state, seat, verb, rest)
    elif verb == "recycle":
        yield from _recycles(state, seat, rest)
    elif verb == "dispose":
        yield from _disposals(state, seat, rest)
    elif verb == "discard":
        if state.agenda[-1].kind is Kind.LIMITS:
            yield from _lists(state, "discard:", _begun(state, rest), _discards(state, seat))
    elif verb == "play" and text.endswith((":", "+")):
        yield from _plays(state, seat, rest)


def _begun(state: State, text: str) -> Cards:
    return tuple(state.deck.numbers[card] for card in text.split("+") if card)


def _seats(verb: str, seats: Iterable[int], end: str = "") -> Iterator[Choice]:
    for seat in seats:
        yield Choice(f"{verb}{seat}{end}", (f"seat:{seat}",), not end)


def _to_seat(state: State, seat: int, verb: str, rest: str) -> Iterator[Choice]:
    if not rest:
        others = [other for other in state.staying() if other != seat]
        yield from _seats(f"{verb}:", others if verb == "gift" else rules.robbable(state, seat), ":")
    elif rest.endswith(":"):
        able = rules.gifts(state, seat) if verb == "gift" else rules.unprotected(state, seat)
        for card in able:
            yield Choice(f"{verb}:{rest}{_id(state, card)}", (f"seat:{rest[:-1]}", _card(state, card)))


def _recycles(state: State, seat: int, rest: str) -> Iterator[Choice]:
    if not rest:
        for card in rules.recyclable(state, seat):
            yield Choice(f"recycle:{_id(state, card)}:", (_card(state, card),), False)
        return
    wanted, _, paid = rest.partition(":")
    card = state.deck.numbers[wanted]
    hand = [one for one in state.hands[seat] if one not in state.deck.contraband]
    ways = set(combinations(hand, rules.recycle_price(state, seat, card)))
    if card not in state.discard:
        ways = {way for way in ways if card in way}
    yield from _lists(state, f"recycle:{wanted}:", _begun(state, paid), ways)


def _disposals(state: State, seat: int, rest: str) -> Iterator[Choice]:
    if not rest:
        for card in rules.disposable(state, seat):
            yield Choice(f"dispose:{_id(state, card)}:", (_card(state, card),), False)
    elif rest.endswith(":"):
        card = state.deck.numbers[rest[:-1]]
        for other in rules.unprotected(state, seat):
            yield Choice(f"dispose:{rest}{_id(state, other)}", (_card(state, card), _card(state, other)))


def _plays(state: State, seat: int, rest: str) -> Iterator[Choice]:
    name, _, begun = rest.partition(":")
    card = state.deck.numbers[name]
    kind = state.deck.effects[card]
    if kind == effects.MAP:
        yield from _seats(f"play:{rest}", rules.mappable(state))
    elif kind == effects.FINGERS:
        yield from _seats(f"play:{rest}", rules.robbable(state, seat))
    elif kind == effects.POST:
        effect = state.deck.cards[card].effect
        assert effect is not None
        able = rules.postable(state, seat)
        most = min(effect.number("max"), len(able))
        ways = {way for count in range(effect.number("min"), most + 1) for way in permutations(able, count)}
        yield from _lists(state, f"play:{name}:", _begun(state, begun), ways)


def _discards(state: State, seat: int) -> set[Cards]:
    hand = [card for card in state.hands[seat] if card not in state.deck.contraband]
    return set(combinations(hand, len(state.hands[seat]) - rules.limit(state, seat)))


def _lists(state: State, verb: str, begun: Cards, ways: set[Cards]) -> Iterator[Choice]:
    """The next card of a list: one of the `ways` that go on from what has begun; `+` where more have to follow."""
    at = len(begun)
    ends: set[int] = set()
    goes_on: set[int] = set()
    for way in ways:
        if len(way) > at and way[:at] == begun:
            (ends if len(way) == at + 1 else goes_on).add(way[at])
    for card in sorted(ends | goes_on):
        listed = (*begun, card)
        text = verb + "+".join(_id(state, one) for one in listed)
        targets = tuple(_card(state, one) for one in listed)
        if card in ends:
            yield Choice(text, targets)
        if card in goes_on:
            yield Choice(f"{text}+", targets, False)
