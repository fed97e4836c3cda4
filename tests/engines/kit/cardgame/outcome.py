"""Points and places."""

from __future__ import annotations

from engines.kit.game import Fact, Outcome, Placement
from tests.engines.kit.cardgame.cards import rank
from tests.engines.kit.cardgame.state import ABANDONED, RECKONED, Place, State


def points(place: Place) -> int:
    stake = 2 * rank(place.stake) if place.stake else 0
    return place.score + stake + sum(rank(slot.card) for slot in place.cellar if slot)


def reckon(state: State) -> tuple[State, tuple[Fact, ...]]:
    """All cellars and stakes are laid open and counted."""
    places = tuple(place._replace(score=points(place)) if place.active else place for place in state.places)
    facts = tuple(
        Fact("scored", (("seat", str(seat)), ("score", str(place.score))))
        for seat, place in enumerate(places)
        if place.active
    )
    return state._replace(phase=RECKONED, places=places), facts


def outcome(state: State) -> Outcome | None:
    """Who stays to the end is before who left; who left later is before who left earlier."""
    if state.phase not in (RECKONED, ABANDONED):
        return None

    def key(seat: int) -> tuple[int, int]:
        place = state.places[seat]
        return (1, place.score) if place.active else (0, state.left.index(seat))

    seats = range(len(state.places))
    placements = tuple(
        Placement(seat, 1 + sum(key(other) > key(seat) for other in seats), state.places[seat].score) for seat in seats
    )
    return Outcome(placements, state.phase)
