"""How a match ended (rules §12)."""

from __future__ import annotations

from engines.kit.game import Outcome, Placement
from engines.tashkalar.points import standing, total
from engines.tashkalar.state import State


def outcome(state: State) -> Outcome | None:
    """The placements: by points, then upgraded pieces, then pieces; who has left comes last. None while it goes on."""
    if not state.over:
        return None
    rules = state.rules
    gone = {rules.colour(seat) for seat in range(rules.seats) if state.left >> seat & 1}
    keys = [(colour not in gone, () if colour in gone else standing(state, colour)) for colour in range(rules.colours)]
    places = [1 + sum(other > key for other in keys) for key in keys]
    placements = []
    for seat in range(rules.seats):
        colour = rules.colour(seat)
        team = colour if rules.is_team else None
        placements.append(Placement(seat, places[colour], total(state, colour), team))
    return Outcome(tuple(placements), state.over)
