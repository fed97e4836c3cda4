"""The state: values only."""

from __future__ import annotations

import json
from typing import NamedTuple

STAKE, TURNS, RECKONED, ABANDONED = "stake", "turns", "reckoned", "abandoned"


class Slot(NamedTuple):
    """A face-down card and the seats that know it, in order, its owner too."""

    card: str
    knowers: tuple[int, ...]


class Place(NamedTuple):
    """What one seat has; a hand has an order, the newest card last."""

    active: bool = True
    hand: tuple[str, ...] = ()
    stake: str = ""
    cellar: tuple[Slot | None, ...] = ()
    score: int = 0
    swapped: bool = False


class Call(NamedTuple):
    """A seat asks another for a suit; the other must answer."""

    by: int
    to: int
    suit: str


class State(NamedTuple):
    """Everything; the pile has no order, it is kept sorted."""

    rounds: int
    reaction_ms: int
    phase: str
    places: tuple[Place, ...]
    pile: tuple[str, ...]
    discards: tuple[str, ...]
    turn: int
    actions: int
    round: int
    call: Call | None
    left: tuple[int, ...]


def with_place(state: State, seat: int, place: Place) -> State:
    return state._replace(places=(*state.places[:seat], place, *state.places[seat + 1 :]))


def dump(state: State) -> bytes:
    return json.dumps(state, separators=(",", ":")).encode()


def load(data: bytes) -> State:
    raw = State(*json.loads(data))
    return raw._replace(
        places=tuple(_place(Place(*place)) for place in raw.places),
        pile=tuple(raw.pile),
        discards=tuple(raw.discards),
        call=None if raw.call is None else Call(*raw.call),
        left=tuple(raw.left),
    )


def _place(raw: Place) -> Place:
    slots = tuple(None if slot is None else Slot(slot[0], tuple(slot[1])) for slot in raw.cellar)
    return raw._replace(hand=tuple(raw.hand), cellar=slots)
