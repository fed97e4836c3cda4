"""How a match ended: the games' points added up (rules §6)."""

from __future__ import annotations

from engines.battleline.state import State, Step
from engines.kit.game import Outcome, Placement


def points(state: State) -> tuple[int, int]:
    """Points of both seats in the games that are over."""
    return sum(result.points[0] for result in state.results), sum(result.points[1] for result in state.results)


def outcome(state: State) -> Outcome | None:
    """The placements by points; None while the match goes on.

    Who left is second. The reason is how the game ended, or `series` for a match of several.
    """
    if state.step is not Step.OVER:
        return None
    last = state.results[-1]
    totals = points(state)
    if last.reason == "resigned":
        reason, places = last.reason, (1, 2) if last.winner == 0 else (2, 1)
    else:
        reason = last.reason if state.rules.series == 1 else "series"
        places = (1 + (totals[0] < totals[1]), 1 + (totals[1] < totals[0]))
    return Outcome(tuple(Placement(seat, places[seat], totals[seat]) for seat in (0, 1)), reason)
