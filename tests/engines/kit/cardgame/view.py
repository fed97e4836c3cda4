"""What each audience sees, and full states that agree with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.kit.game import EVERYBODY, Audience, Draw
from tests.engines.kit.cardgame.cards import DECK, SLOTS
from tests.engines.kit.cardgame.message import View
from tests.engines.kit.cardgame.notation import hide_cards
from tests.engines.kit.cardgame.state import RECKONED, Call, Place, Slot, State


def view(state: State, audience: Audience) -> Any:
    everything = audience == EVERYBODY
    open_cellars = everything or state.phase == RECKONED
    message = View(
        rounds=state.rounds,
        reaction_ms=state.reaction_ms,
        phase=state.phase,
        pile_count=len(state.pile),
        pile=state.pile if everything else (),
        discards=state.discards,
        turn=state.turn,
        actions=state.actions,
        round=state.round,
        left=state.left,
    )
    if state.call is not None:
        message.call.by, message.call.to, message.call.suit = state.call
    for seat, place in enumerate(state.places):
        own = everything or seat == audience
        shown = message.places.add(
            active=place.active,
            hand_count=len(place.hand),
            hand=place.hand if own else (),
            staked=bool(place.stake),
            stake=place.stake if own or open_cellars else "",
            score=place.score,
            swapped=place.swapped,
        )
        for slot in place.cellar:
            if slot is None:
                shown.cellar.add()
            else:
                known = open_cellars or audience in slot.knowers
                shown.cellar.add(taken=True, card=slot.card if known else "", knowers=slot.knowers)
    return message


def redact(seat: int, move: str, audience: Audience) -> str:
    return move if audience in (seat, EVERYBODY) else hide_cards(move)


def imagine(message: Any, draw: Draw) -> State:
    """Unknown cards are dealt uniformly to all places that must hold one."""
    known = {*message.pile, *message.discards}
    for place in message.places:
        known |= {*place.hand, place.stake, *(slot.card for slot in place.cellar)}
    unknown = (str(card) for card in draw.shuffle([card for card in DECK if card not in known], "imagine"))
    places = tuple(_place(place, unknown) for place in message.places)
    pile = tuple(message.pile) or tuple(sorted(next(unknown) for _ in range(message.pile_count)))
    call = Call(message.call.by, message.call.to, message.call.suit) if message.HasField("call") else None
    return State(
        rounds=message.rounds,
        reaction_ms=message.reaction_ms,
        phase=message.phase,
        places=places,
        pile=pile,
        discards=tuple(message.discards),
        turn=message.turn,
        actions=message.actions,
        round=message.round,
        call=call,
        left=tuple(message.left),
    )


def _place(place: Any, unknown: Iterator[str]) -> Place:
    hand = tuple(place.hand) or tuple(next(unknown) for _ in range(place.hand_count))
    stake = place.stake or (next(unknown) if place.staked else "")
    cellar = tuple(
        Slot(slot.card or next(unknown), tuple(slot.knowers)) if slot.taken else None for slot in place.cellar
    )
    if len(cellar) != SLOTS:
        raise ValueError(f"a cellar of {len(cellar)} slots; expected {SLOTS}")
    return Place(place.active, hand, stake, cellar, place.score, place.swapped)
