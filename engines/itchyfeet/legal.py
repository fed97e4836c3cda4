"""Questions about a position that choices, moves and views ask. Whatever all may ask depends on open things only."""

from __future__ import annotations

from engines.itchyfeet import effects
from engines.itchyfeet.cards import Cards
from engines.itchyfeet.setup import in_match
from engines.itchyfeet.state import NONE, UNANSWERED, Kind, State, Task

_NOBODY: frozenset[int] = frozenset()


def limit(state: State, seat: int) -> int:
    """The seat's hand limit (R54)."""
    if state.ability(seat) == effects.OVERPACKER:
        return state.ability_number(seat, "hand_limit")
    return state.deck.constants.hand_limit


def over_limit(state: State) -> int | None:
    """The first seat above its limit, clockwise from the active one (R18)."""
    for seat in state.clockwise(state.active):
        if len(state.hands[seat]) > limit(state, seat):
            return seat
    return None


def could_hold(state: State, seat: int, card: int) -> bool:
    """Whether the public must think that the seat may hold the card (R51)."""
    if not state.hands[seat]:
        return False
    public = len(state.places)
    seen = state.discard.count(card)
    seen += sum(hand.count(card) for other, hand in enumerate(state.known[public]) if other != seat)
    seen += sum(block.cards.count(card) for block in state.pile if block.knowers >> public & 1)
    seen += sum(task.card == card for task in state.agenda if task.kind is Kind.SPENT)
    return seen < state.deck.cards[card].copies


def could_hold_any(state: State, seat: int, effect: str, when: str | None = None) -> bool:
    """Whether the seat may hold a card with the effect, for all that the public knows."""
    if not state.rules.special_items:
        return False
    return any(
        could_hold(state, seat, card)
        for card in state.deck.with_effect(effect)
        if when is None or when_played(state, card) == when
    )


def when_played(state: State, card: int) -> str:
    """The timing of a special item; empty for other cards."""
    effect = state.deck.cards[card].effect
    return effect.when if effect is not None else ""


def awaited(state: State) -> frozenset[int]:
    """Seats that must act."""
    task = state.top()
    if task is None:
        return _NOBODY
    if task.kind in (Kind.WINDOW, Kind.TOUR):
        return frozenset(seat for seat, answer in enumerate(state.answers) if answer == UNANSWERED)
    if task.kind is Kind.LIMITS:
        seat = over_limit(state)
        return _NOBODY if seat is None else frozenset({seat})
    return frozenset({task.seat})


def may_act(state: State) -> frozenset[int]:
    """Seats that can act: also who may hold a card for any time, while the active seat's action is awaited (R48)."""
    must = awaited(state)
    if not state.rules.special_items or not must or state.agenda[-1].kind is not Kind.ACTION:
        return must
    others = (seat for seat in state.staying() if seat not in must)
    return must | {seat for seat in others if could_hold_any(state, seat, effects.VOUCHER, effects.ANY_TIME)}


def unprotected(state: State, seat: int) -> Cards:
    """Kinds in the seat's hand that may be discarded as a cost or for the limit: all but contraband (R21, R22)."""
    contraband = state.deck.contraband
    return tuple(dict.fromkeys(card for card in state.hands[seat] if card not in contraband))


def costly(state: State, seat: int) -> int:
    """How many cards of the hand may be discarded."""
    contraband = state.deck.contraband
    return sum(card not in contraband for card in state.hands[seat])


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
    hand = state.hands[seat]
    if state.travelled or not any(card in state.deck.passports for card in hand):
        return ()
    if any(card in state.deck.contraband for card in hand):
        return ()
    lacking = len(missing(state, seat))
    if lacking == 0:
        return (NONE,)
    if lacking == 1:
        return tuple(card for card in dict.fromkeys(hand) if state.deck.effects[card] == effects.STAND_IN)
    return ()


def robbable(state: State, seat: int) -> tuple[int, ...]:
    """Seats that have a card to take (R26)."""
    return tuple(other for other in state.staying() if other != seat and state.hands[other])


def recycle_price(state: State, seat: int, wanted: int) -> int:
    """Cards to pay for the wanted one, by its place in the discard pile before payment (H2)."""
    if state.ability(seat) == effects.ECO_TOURIST:
        top = state.ability_number(seat, "top")
        if wanted in state.discard[-top:]:
            return state.ability_number(seat, "cost")
    return state.deck.constants.recycle_cost


def recyclable(state: State, seat: int) -> Cards:
    """Kinds that a Recycle of the seat can take, also one that it pays with (R24, R25)."""
    able = costly(state, seat)
    if able < state.deck.constants.recycle_cost and state.ability(seat) != effects.ECO_TOURIST:
        return ()
    found = (set(state.discard) | set(unprotected(state, seat))) - state.deck.events
    return tuple(sorted(card for card in found if able >= recycle_price(state, seat, card)))


def mappable(state: State) -> tuple[int, ...]:
    """Seats whose country a map can replace (H8)."""
    if not state.aside and not state.queue:
        return ()
    return tuple(seat for seat in state.staying() if state.places[seat].country != NONE)


def playable(state: State, seat: int) -> Cards:
    """Special items in the seat's hand that it may play now, in the phase of actions."""
    if not state.rules.special_items:
        return ()
    found = []
    active = seat == state.active
    for card in dict.fromkeys(state.hands[seat]):
        kind, timing = state.deck.effects[card], when_played(state, card)
        fits = timing == effects.ANY_TIME or (
            active and (timing == effects.ACTION or (kind == effects.RED_EYE and not state.acted))
        )
        if fits and _useful(state, seat, kind):
            found.append(card)
    return tuple(found)


def _useful(state: State, seat: int, kind: str) -> bool:
    if kind == effects.GUIDE:
        return bool(state.pile)
    if kind == effects.POST:
        return len(postable(state, seat)) > 0
    if kind == effects.MAP:
        return bool(mappable(state))
    if kind == effects.FINGERS:
        return bool(robbable(state, seat))
    return True


def postable(state: State, seat: int) -> Cards:
    """Kinds that Trading Post may put on the pile; the card played is not among them unless there is another."""
    contraband = state.deck.contraband
    hand = list(state.hands[seat])
    for card in hand:
        if state.deck.effects[card] == effects.POST:
            hand.remove(card)
            break
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
    if state.offers >= state.deck.constants.trade_offers_per_turn or not state.hands[seat]:
        return ()
    return robbable(state, seat)


def askable(state: State) -> Cards:
    """Kinds that can be asked for in a trade: all that a hand can hold in this match (R32)."""
    events = state.deck.events
    return tuple(card for card in in_match(state.deck, state.rules) if card not in events)


def asked_in_window(state: State, task: Task) -> tuple[int, ...]:
    """Seats that a window asks: all that could block, whether or not they hold the card (R51)."""
    if task.kind is Kind.TRAVEL:
        others = (seat for seat in state.staying() if seat != task.seat)
        return tuple(seat for seat in others if could_hold_any(state, seat, effects.BLOCK_TRAVEL))
    return (task.other,) if could_hold_any(state, task.other, effects.BLOCK_TAKING) else ()


def blockers(state: State, seat: int) -> Cards:
    """Cards of the seat that block what the window is about."""
    task = state.agenda[-1]
    effect = effects.BLOCK_TRAVEL if task.other < 0 else effects.BLOCK_TAKING
    return tuple(card for card in dict.fromkeys(state.hands[seat]) if state.deck.effects[card] == effect)
