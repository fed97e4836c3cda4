"""Who may act, and how moves go on."""

from __future__ import annotations

from collections.abc import Iterator

from engines.kit.game import Choice
from tests.engines.kit.cardgame.cards import LARGEST_HAND, SUITS
from tests.engines.kit.cardgame.state import STAKE, TURNS, State


def awaited(state: State) -> frozenset[int]:
    if state.phase == STAKE:
        return frozenset(seat for seat, place in enumerate(state.places) if place.active and not place.stake)
    if state.phase == TURNS:
        return frozenset({state.call.to if state.call else state.turn})
    return frozenset()


def may_swap(state: State) -> frozenset[int]:
    """Once in a match, out of turn."""
    if state.phase != TURNS or state.call or not state.pile:
        return frozenset()
    return frozenset(
        seat
        for seat, place in enumerate(state.places)
        if place.active and seat != state.turn and place.hand and not place.swapped
    )


def may_act(state: State) -> frozenset[int]:
    return awaited(state) | may_swap(state)


def choices(state: State, seat: int, prefix: str) -> tuple[Choice, ...]:
    if state.phase == STAKE:
        found = _stakes(state, seat)
    elif state.phase == TURNS and state.call is not None:
        found = _answers(state, seat)
    elif state.phase == TURNS and seat == state.turn:
        found = _turn(state, seat, prefix)
    else:
        found = _swaps(state, seat)
    return tuple(choice for choice in found if len(choice.text) > len(prefix) and choice.text.startswith(prefix))


def _stakes(state: State, seat: int) -> Iterator[Choice]:
    if seat in awaited(state):
        for card in state.places[seat].hand:
            yield Choice(f"stake:{card}", (f"card:{card}",))


def _answers(state: State, seat: int) -> Iterator[Choice]:
    if state.call is None or seat != state.call.to:
        return
    for number, slot in enumerate(state.places[seat].cellar, 1):
        if slot is not None and slot.card[0] == state.call.suit:
            yield Choice(f"show:@{number}", (f"slot:{seat}.{number}",))
    yield Choice("pass")


def _swaps(state: State, seat: int) -> Iterator[Choice]:
    if seat in may_swap(state):
        for card in state.places[seat].hand:
            yield Choice(f"swap:{card}", (f"card:{card}",))


def _turn(state: State, seat: int, prefix: str) -> Iterator[Choice]:
    if prefix.startswith("lay:"):
        yield from _lays(state, seat, prefix)
    elif prefix.startswith(("peek:", "call:")):
        yield from _asks(state, seat, prefix)
    else:
        yield from _begin(state, seat)


def _begin(state: State, seat: int) -> Iterator[Choice]:
    place = state.places[seat]
    if state.actions:
        if None in place.cellar:
            for card in place.hand:
                yield Choice(f"lay:{card}", (f"card:{card}",), complete=False)
        if state.pile and len(place.hand) < LARGEST_HAND:
            yield Choice("draw", ("pile",))
        for target, other in enumerate(state.places):
            if other.active and target != seat:
                if any(slot and seat not in slot.knowers for slot in other.cellar):
                    yield Choice(f"peek:{target}", (f"seat:{target}",), complete=False)
                if any(other.cellar):
                    yield Choice(f"call:{target}", (f"seat:{target}",), complete=False)
    yield Choice("end")


def _lays(state: State, seat: int, prefix: str) -> Iterator[Choice]:
    place = state.places[seat]
    parts = prefix.removeprefix("lay:").split("+")
    cards = {part[:2] for part in parts}
    taken = {part[3:] for part in parts if "@" in part}
    free = [n for n, slot in enumerate(place.cellar, 1) if slot is None and str(n) not in taken]
    if len(parts) > state.actions or not cards <= set(place.hand):
        return
    if "@" not in parts[-1]:
        for number in free:
            yield Choice(f"{prefix}@{number}", (f"slot:{seat}.{number}",))
    elif len(parts) < state.actions and free:
        for card in place.hand:
            if card not in cards:
                yield Choice(f"{prefix}+{card}", (f"card:{card}",), complete=False)


def _asks(state: State, seat: int, prefix: str) -> Iterator[Choice]:
    for target, other in enumerate(state.places):
        if not state.actions or not other.active or target == seat:
            continue
        if prefix == f"peek:{target}":
            for number, slot in enumerate(other.cellar, 1):
                if slot and seat not in slot.knowers:
                    yield Choice(f"{prefix}@{number}", (f"slot:{target}.{number}",))
        elif prefix == f"call:{target}" and any(other.cellar):
            for suit in SUITS:
                yield Choice(f"{prefix}:{suit}", (f"suit:{suit}",))
