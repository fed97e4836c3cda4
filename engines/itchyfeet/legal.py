"""Questions about a position that choices, moves and views ask. Whatever all may ask depends on open things only."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Cards, Deck
from engines.itchyfeet.setup import in_match
from engines.itchyfeet.state import MAX_SEATS, NONE, TOGETHER, UNANSWERED, Kind, Rules, State, Task

if TYPE_CHECKING:
    from engines.itchyfeet.table import Table

_NOBODY: Final[frozenset[int]] = frozenset()
_ALONE: Final = tuple(frozenset({seat}) for seat in range(MAX_SEATS))
_OTHERS: Final = tuple(
    tuple(tuple(other for other in range(seats) if other != seat) for seat in range(seats))
    for seats in range(MAX_SEATS + 1)
)
"""The other seats, by the number of seats and a seat."""


def limit(state: State | Table, seat: int) -> int:
    """The seat's hand limit (R54)."""
    if state.ability(seat) == effects.OVERPACKER:
        return state.ability_number(seat, "hand_limit")
    return state.deck.constants.hand_limit


def over_limit(state: State | Table) -> int | None:
    """The first seat above its limit, clockwise from the active one (R18)."""
    least = state.deck.least_limit
    if max(map(len, state.hands)) <= least:
        return None
    for seat in state.clockwise(state.active):
        if len(state.hands[seat]) > limit(state, seat):
            return seat
    return None


def could_hold(state: State | Table, seats: Sequence[int], effect: str, when: str = "") -> list[int]:
    """Those of the seats that may hold a card with the effect, and the timing if one is named (R51).

    For all that the public knows: copies of the card that it sees elsewhere are in no other hand.
    """
    if not state.rules.special_items:
        return []
    deck = state.deck
    fitting = [card for card in deck.with_effect(effect) if not when or deck.timings[card] == when]
    found = set()
    for card in fitting:
        lying, shown = _seen(state, card)
        copies = deck.cards[card].copies - lying
        found.update([seat for seat in seats if state.hands[seat] and sum(shown) - shown[seat] < copies])
    return [seat for seat in seats if seat in found]


def _seen(state: State | Table, card: int) -> tuple[int, list[int]]:
    """Copies of the card that the public sees on the table, and in each hand."""
    public = len(state.places)
    lying = state.discard.count(card)
    for block in state.pile:
        if block.knowers >> public & 1:
            lying += block.cards.count(card)
    for task in state.agenda:
        if task.card == card and task.kind is Kind.SPENT:
            lying += 1
    return lying, [row[public].count(card) for row in state.known]


def awaited(state: State) -> frozenset[int]:
    """Seats that must act."""
    if state.reason:
        return _NOBODY
    task = state.agenda[-1]
    kind = task.kind
    if kind in TOGETHER:
        return frozenset([seat for seat, answer in enumerate(state.answers) if answer == UNANSWERED])
    if kind is Kind.LIMITS:
        seat = over_limit(state)
        return _NOBODY if seat is None else _ALONE[seat]
    return _ALONE[task.seat]


def may_act(state: State) -> frozenset[int]:
    """Seats that can act: also who may hold a card for any time, while the active seat's action is awaited (R48)."""
    must = awaited(state)
    if not state.rules.special_items or not must or state.agenda[-1].kind is not Kind.ACTION:
        return must
    others = [seat for seat in state.staying() if seat not in must]
    return must.union(could_hold(state, others, effects.VOUCHER, effects.ANY_TIME))


def can_act(state: State, seat: int) -> bool:
    """The seat is among those that can act: as `may_act` has it, without making the set."""
    if state.reason:
        return False
    task = state.agenda[-1]
    kind = task.kind
    if kind is Kind.ACTION:
        return seat == task.seat or (state.rules.special_items and seat in may_act(state))
    if kind in TOGETHER:
        return state.answers[seat] == UNANSWERED
    if kind is Kind.LIMITS:
        return seat == over_limit(state)
    return seat == task.seat


def unprotected(state: State, seat: int) -> Cards:
    """Kinds in the seat's hand that may be discarded as a cost or for the limit: all but contraband (R21, R22)."""
    return tuple(dict.fromkeys(costs(state, seat)))


def costs(state: State, seat: int) -> Cards:
    """Cards of the seat's hand that may be discarded as a cost or for the limit, copies included."""
    hand, contraband = state.hands[seat], state.deck.contraband
    if contraband.isdisjoint(hand):
        return hand
    return tuple([card for card in hand if card not in contraband])


def costly(state: State, seat: int) -> int:
    """How many cards of the hand may be discarded."""
    return len(costs(state, seat))


def can_draw(state: State) -> bool:
    """Draw is legal (R11)."""
    return bool(state.pile or state.discard)


def missing(state: State, seat: int) -> Cards:
    """Items of the target that the seat lacks, one entry for each."""
    hand = state.hands[seat]
    found: list[int] = []
    requires = state.deck.countries[state.target(seat)].requires
    for item in dict.fromkeys(requires):
        found += [item] * max(0, requires.count(item) - hand.count(item))
    return tuple(found)


def travels(state: State, seat: int) -> Cards:
    """Ways to travel: NONE without a stand-in, else the card that stands in for the one missing item (2.4)."""
    hand, deck = state.hands[seat], state.deck
    lacking = 0
    for item in deck.countries[state.target(seat)].requires:
        if item not in hand:
            lacking += 1
            if lacking > 1:
                return ()
    if state.travelled or deck.passports.isdisjoint(hand) or not deck.contraband.isdisjoint(hand):
        return ()
    lacking = len(missing(state, seat))
    if lacking == 0:
        return (NONE,)
    if lacking == 1:
        return tuple(card for card in dict.fromkeys(hand) if state.deck.effects[card] == effects.STAND_IN)
    return ()


def robbable(state: State, seat: int) -> tuple[int, ...]:
    """Seats that have a card to take (R26); who has left has none."""
    hands = state.hands
    if all(hands):
        return _OTHERS[len(hands)][seat]
    return tuple([other for other, hand in enumerate(hands) if hand and other != seat])


def recycle_price(state: State, seat: int, wanted: int) -> int:
    """Cards to pay for the wanted one, by its place in the discard pile before payment (H2)."""
    if state.ability(seat) == effects.ECO_TOURIST and wanted in _on_top(state, seat):
        return state.ability_number(seat, "cost")
    return state.deck.constants.recycle_cost


def _on_top(state: State, seat: int) -> Cards:
    """The newest cards of the discard pile, as many as the seat's character can take for less."""
    return state.discard[-state.ability_number(seat, "top") :]


def recyclable(state: State, seat: int) -> Cards:
    """Kinds that a Recycle of the seat can take, also one that it pays with (R24, R25)."""
    held = costs(state, seat)
    found = {*state.discard, *held} - state.deck.events
    if len(held) >= state.deck.constants.recycle_cost:
        return tuple(sorted(found))
    if held and state.ability(seat) == effects.ECO_TOURIST and len(held) >= state.ability_number(seat, "cost"):
        return tuple(sorted(found.intersection(_on_top(state, seat))))
    return ()


def mappable(state: State) -> list[int]:
    """Seats whose country a map can replace (H8)."""
    if not state.aside and not state.queue:
        return []
    return [seat for seat in state.staying() if state.places[seat].country != NONE]


def playable(state: State, seat: int) -> Cards:
    """Special items in the seat's hand that it may play now, in the phase of actions."""
    deck, hand = state.deck, state.hands[seat]
    if not state.rules.special_items or deck.timed.isdisjoint(hand):
        return ()
    found = []
    active = seat == state.active
    for card in dict.fromkeys(hand):
        kind, timing = deck.effects[card], deck.timings[card]
        if not timing:
            continue
        fits = timing == effects.ANY_TIME or (
            active and (timing == effects.ACTION or (kind == effects.RED_EYE and not state.acted))
        )
        if fits and _useful(state, seat, card):
            found.append(card)
    return tuple(found)


def _useful(state: State, seat: int, card: int) -> bool:
    kind = state.deck.effects[card]
    if kind == effects.GUIDE:
        return bool(state.pile)
    if kind == effects.POST:
        effect = state.deck.cards[card].effect
        return effect is not None and len(postable(state, seat, card)) >= effect.number("min")
    if kind == effects.MAP:
        return bool(mappable(state))
    if kind == effects.FINGERS:
        return bool(robbable(state, seat))
    return True


def postable(state: State, seat: int, played: int) -> Cards:
    """Kinds that Trading Post may put on the pile; the card played is not among them unless there is another."""
    contraband = state.deck.contraband
    hand = list(state.hands[seat])
    hand.remove(played)
    return tuple(card for card in hand if card not in contraband)


def must_pass(state: State, seat: int) -> bool:
    """A pass is legal only when nothing but proposing a trade is (R2)."""
    return not (
        can_draw(state)
        or recyclable(state, seat)
        or (costly(state, seat) and robbable(state, seat))
        or travels(state, seat)
        or playable(state, seat)
        or disposable(state, seat)
        or gifts(state, seat)
    )


def disposable(state: State, seat: int) -> Cards:
    """Contraband that the seat can get rid of, with another card that is not contraband (R43, R44)."""
    if not costly(state, seat):
        return ()
    return tuple(card for card in dict.fromkeys(state.hands[seat]) if card in state.deck.contraband)


def gifts(state: State, seat: int) -> Cards:
    """Contraband that the Smuggler can give."""
    if state.ability(seat) != effects.SMUGGLER:
        return ()
    return tuple(card for card in dict.fromkeys(state.hands[seat]) if card in state.deck.contraband)


def offer_partners(state: State, seat: int) -> tuple[int, ...]:
    """Seats that an offer can go to (R26, R31, R36)."""
    return robbable(state, seat) if offers_left(state, seat) else ()


def offers_left(state: State, seat: int) -> bool:
    """The seat has something to give, and offers are left this turn (R31, R36)."""
    return bool(state.hands[seat]) and state.offers < state.deck.constants.trade_offers_per_turn


@lru_cache(maxsize=64)
def askable(deck: Deck, rules: Rules) -> dict[int, int]:
    """Copies of each kind that can be asked for in a trade: all that a hand can hold in this match (R32)."""
    return {card: deck.cards[card].copies for card in in_match(deck, rules) if card not in deck.events}


def asked_in_window(state: State | Table, task: Task) -> list[int]:
    """Seats that a window asks: all that could block, whether or not they hold the card (R51)."""
    if task.kind is Kind.TRAVEL:
        others = [seat for seat, place in enumerate(state.places) if place.here and seat != task.seat]
        return could_hold(state, others, effects.BLOCK_TRAVEL)
    return could_hold(state, (task.other,), effects.BLOCK_TAKING)


def blockers(state: State, seat: int) -> Cards:
    """Cards of the seat that block what the window is about."""
    task = state.agenda[-1]
    effect = effects.BLOCK_TRAVEL if task.other < 0 else effects.BLOCK_TAKING
    return tuple(card for card in dict.fromkeys(state.hands[seat]) if state.deck.effects[card] == effect)
