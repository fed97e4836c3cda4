"""What a side's points are worth at a moment (rules §10, §16)."""

from __future__ import annotations

from engines.tashkalar.pieces import ANY, LEGENDARY, NOTHING, UPGRADED, C, H, L
from engines.tashkalar.state import Form, State

PENDING_COSTS = 2


def tracks(state: State, colour: int) -> tuple[int, ...]:
    """The points of a side: one number, or in a melee one for each enemy colour, by colour.

    Own legendary pieces on the board and pending beings are counted in.
    """
    rules = state.rules
    costs = PENDING_COSTS * sum(
        player.pending != NOTHING for seat, player in enumerate(state.players) if rules.colour(seat) == colour
    )
    scores = state.scores[colour]
    if rules.form is Form.MELEE:
        return tuple(points - costs for enemy, points in enumerate(scores) if enemy != colour)
    if rules.has_tasks:
        costs -= state.board[3 * colour + LEGENDARY].bit_count()
    return (scores[0] - costs,)


def total(state: State, colour: int) -> int:
    """The side's score: in a melee that of its lowest colour."""
    return min(tracks(state, colour))


def end_reached(state: State) -> bool:
    """Whether somebody has so many points that the end begins (rules §12)."""
    form = state.rules.form
    if form is Form.MELEE:
        limit = 12 if state.rules.seats == 3 else 10
    else:
        limit = {Form.FIRST: 6, Form.HIGH: 9, Form.TEAM_HIGH: 9}.get(form, 18)
    return any(max(tracks(state, colour)) >= limit for colour in range(state.rules.colours))


def pieces(state: State, colour: int, ranks: int = ANY) -> int:
    """How many pieces of these ranks the colour has on the board."""
    at = 3 * colour
    kinds = zip((C, H, L), state.board[at : at + 3], strict=True)
    return sum(mask.bit_count() for flag, mask in kinds if ranks & flag)


def standing(state: State, colour: int) -> tuple[tuple[int, ...], int, int]:
    """What sides are compared by: points, the lowest colour first, upgraded pieces, pieces (rules §12)."""
    return tuple(sorted(tracks(state, colour))), pieces(state, colour, UPGRADED), pieces(state, colour)
