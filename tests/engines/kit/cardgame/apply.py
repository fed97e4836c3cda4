"""What moves do. Legality is judged here anew, without the list of choices."""

from __future__ import annotations

from collections.abc import Callable

from engines.kit.game import Draw, Fact, IllegalMove
from tests.engines.kit.cardgame.cards import ACTIONS, LARGEST_HAND
from tests.engines.kit.cardgame.choices import awaited, may_swap
from tests.engines.kit.cardgame.notation import Parsed, parse
from tests.engines.kit.cardgame.outcome import reckon
from tests.engines.kit.cardgame.state import ABANDONED, STAKE, TURNS, Call, Slot, State, with_place

Result = tuple[State, tuple[Fact, ...]]


def fact(kind: str, *, to: int | None = None, **parameters: object) -> Fact:
    audiences = None if to is None else frozenset({to})
    return Fact(kind, tuple((name, str(value)) for name, value in parameters.items()), audiences)


def need(condition: object, what: str, rule: str, expected: str) -> None:
    if not condition:
        raise IllegalMove(what, rule=rule, expected=expected)


def apply(state: State, seat: int, move: str, draw: Draw) -> Result:
    parsed = parse(move)
    if parsed is None:
        raise IllegalMove(
            "this is not a move",
            rule="notation",
            expected="stake:, lay:, draw, peek:, call:, end, show:, pass or swap:",
        )
    return _VERBS[parsed.verb](state, seat, parsed, draw)


def _stake(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    need(state.phase == STAKE, "the stakes are laid already", "stakes", "another kind of move")
    place = state.places[seat]
    need(move.card in place.hand, f"{move.card} is not in your hand", "stakes", "a card of your hand")
    hand = tuple(card for card in place.hand if card != move.card)
    state = with_place(state, seat, place._replace(hand=hand, stake=move.card))
    facts = (fact("staked", seat=seat), fact("stake_is", to=seat, card=move.card))
    return begin_if_all_staked(state, facts)


def begin_if_all_staked(state: State, facts: tuple[Fact, ...]) -> Result:
    if state.phase != STAKE or awaited(state):
        return state, facts
    first = min(seat for seat, place in enumerate(state.places) if place.active)
    return state._replace(phase=TURNS, turn=first, actions=ACTIONS), (*facts, fact("began", seat=first))


def _on_turn(state: State, seat: int, actions: int) -> None:
    need(state.phase == TURNS, "the stakes are not all laid", "stakes", "stake: and a card of your hand")
    need(state.call is None, "a call waits for its answer", "calls", "show: and a slot with that suit, or pass")
    need(seat == state.turn, "another seat is on turn", "turns", "swap: and a card of your hand")
    need(actions <= state.actions, f"{state.actions} actions are left", "turns", "end")


def _lay(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    _on_turn(state, seat, len(move.lays))
    facts: list[Fact] = []
    for card, number in move.lays:
        place = state.places[seat]
        need(card in place.hand, f"{card} is not in your hand", "laying", "a card of your hand")
        need(place.cellar[number - 1] is None, f"slot {number} is taken", "laying", "a free slot")
        cellar = (*place.cellar[: number - 1], Slot(card, (seat,)), *place.cellar[number:])
        hand = tuple(other for other in place.hand if other != card)
        state = with_place(state, seat, place._replace(hand=hand, cellar=cellar))
        facts += (fact("laid", seat=seat, slot=number), fact("laid_card", to=seat, card=card, slot=number))
    return state._replace(actions=state.actions - len(move.lays)), tuple(facts)


def _draw(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    _on_turn(state, seat, 1)
    need(len(state.places[seat].hand) < LARGEST_HAND, "your hand is full", "drawing", "another kind of move")
    need(state.pile, "the pile is empty", "drawing", "another kind of move")
    state, card = _take(state, seat, draw)
    facts = (fact("drew", seat=seat), fact("drew_card", to=seat, card=card))
    return state._replace(actions=state.actions - 1), facts


def _take(state: State, seat: int, draw: Draw) -> tuple[State, str]:
    index = draw.below(len(state.pile), "pile")
    card = state.pile[index]
    place = state.places[seat]
    state = with_place(state, seat, place._replace(hand=(*place.hand, card)))
    return state._replace(pile=state.pile[:index] + state.pile[index + 1 :]), card


def _other(state: State, seat: int, target: int) -> None:
    there = target < len(state.places) and state.places[target].active
    need(there and target != seat, f"seat {target} cannot be asked", "turns", "another seat that still plays")


def _peek(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    _on_turn(state, seat, 1)
    _other(state, seat, move.target)
    place = state.places[move.target]
    slot = place.cellar[move.slot - 1]
    if slot is None or seat in slot.knowers:
        raise IllegalMove(f"slot {move.slot} is empty or known", rule="peeking", expected="a card you do not know")
    seen = slot._replace(knowers=tuple(sorted((*slot.knowers, seat))))
    cellar = (*place.cellar[: move.slot - 1], seen, *place.cellar[move.slot :])
    facts = (
        fact("peeked", seat=seat, target=move.target, slot=move.slot),
        fact("saw", to=seat, target=move.target, slot=move.slot, card=slot.card),
    )
    state = with_place(state, move.target, place._replace(cellar=cellar))
    return state._replace(actions=state.actions - 1), facts


def _call(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    _on_turn(state, seat, 1)
    _other(state, seat, move.target)
    need(any(state.places[move.target].cellar), "that cellar is empty", "calls", "a seat with a card in its cellar")
    call = Call(seat, move.target, move.suit)
    facts = (fact("called", seat=seat, target=move.target, suit=move.suit),)
    return state._replace(call=call, actions=state.actions - 1), facts


def _called(state: State, seat: int) -> Call:
    if state.call is None or state.call.to != seat:
        raise IllegalMove("nobody asked you for a suit", rule="calls", expected="another kind of move")
    return state.call


def _show(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    call = _called(state, seat)
    place = state.places[seat]
    slot = place.cellar[move.slot - 1]
    if slot is None or slot.card[0] != call.suit:
        raise IllegalMove(f"slot {move.slot} has no {call.suit}", rule="calls", expected=f"a slot with {call.suit}")
    cellar = (*place.cellar[: move.slot - 1], None, *place.cellar[move.slot :])
    state = with_place(state, seat, place._replace(cellar=cellar, score=place.score + 2))
    state = state._replace(call=None, discards=(*state.discards, slot.card))
    return state, (fact("showed", seat=seat, slot=move.slot, card=slot.card),)


def _pass(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    return show_nothing(state, _called(state, seat))


def show_nothing(state: State, call: Call) -> Result:
    caller = state.places[call.by]
    state = with_place(state, call.by, caller._replace(score=caller.score + 1))
    return state._replace(call=None), (fact("passed", seat=call.to),)


def _end(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    _on_turn(state, seat, 0)
    return next_turn(state)


def next_turn(state: State) -> Result:
    count = len(state.places)
    seat = next(s % count for s in range(state.turn + 1, state.turn + 1 + count) if state.places[s % count].active)
    number = state.round + (seat <= state.turn)
    if number > state.rounds:
        return reckon(state)
    state = state._replace(turn=seat, round=number, actions=ACTIONS)
    return state, (fact("turn", seat=seat, round=number),)


def _swap(state: State, seat: int, move: Parsed, draw: Draw) -> Result:
    need(seat in may_swap(state), "you cannot swap now", "swapping", "another kind of move")
    place = state.places[seat]
    need(move.card in place.hand, f"{move.card} is not in your hand", "swapping", "a card of your hand")
    hand = tuple(card for card in place.hand if card != move.card)
    state = with_place(state, seat, place._replace(hand=hand, swapped=True))
    state, card = _take(state._replace(discards=(*state.discards, move.card)), seat, draw)
    return state, (fact("swapped", seat=seat, card=move.card), fact("drew_card", to=seat, card=card))


def leave(state: State, seat: int) -> Result:
    """The seat's cards are laid open; the others play on."""
    place = state.places[seat]
    cards = (*place.hand, *([place.stake] if place.stake else ()), *(slot.card for slot in place.cellar if slot))
    gone = place._replace(active=False, hand=(), stake="", cellar=(None,) * len(place.cellar))
    state = with_place(state, seat, gone)._replace(discards=(*state.discards, *cards), left=(*state.left, seat))
    facts: tuple[Fact, ...] = (fact("left", seat=seat, cards=" ".join(cards)),)
    if sum(other.active for other in state.places) < 2:
        return state._replace(phase=ABANDONED, call=None), facts
    if state.call is not None and state.call.to == seat:
        state, more = show_nothing(state, state.call)
        facts += more
    if state.phase == TURNS and state.turn == seat:
        state, more = next_turn(state._replace(call=None))
        return state, (*facts, *more)
    return begin_if_all_staked(state, facts)


_VERBS: dict[str, Callable[[State, int, Parsed, Draw], Result]] = {
    "stake": _stake,
    "lay": _lay,
    "draw": _draw,
    "peek": _peek,
    "call": _call,
    "end": _end,
    "show": _show,
    "pass": _pass,
    "swap": _swap,
}
