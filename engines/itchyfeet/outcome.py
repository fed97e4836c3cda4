"""How a match ended: the winner first, the others after it, who left behind them, the earlier the lower."""

from __future__ import annotations

from engines.itchyfeet.state import State
from engines.kit.game import Outcome, Placement


def outcome(state: State) -> Outcome | None:
    """None while the game goes on."""
    if not state.reason:
        return None
    ranks = [_rank(state, seat) for seat in range(len(state.places))]
    placements = tuple(Placement(seat, 1 + sum(other < rank for other in ranks)) for seat, rank in enumerate(ranks))
    return Outcome(placements, state.reason)


def _rank(state: State, seat: int) -> int:
    if seat == state.winner:
        return 0
    return 2 + len(state.left) - state.left.index(seat) if seat in state.left else 1
