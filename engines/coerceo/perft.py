"""How many sequences of legal turns there are: the numbers that prove a rules engine (rules §11).

Draw rules are not applied; a side without pieces has no continuations. The last ply is counted in bulk, not played.
"""

from __future__ import annotations

from engines.coerceo.apply import play
from engines.coerceo.choices import can_exchange, legal_moves
from engines.coerceo.state import CURA, DEAD_POSITION, NO_MARKS, REPETITION, Ending, State
from engines.coerceo.tables import TARGET_MASK


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` turns from the state, depth >= 0."""
    if depth < 0:
        raise ValueError(f"a depth is at least 0, not {depth}")
    options = state.options & ~(REPETITION | DEAD_POSITION | CURA)
    state = state._replace(options=options, path=b"", marks=NO_MARKS, occurrences=0, cura=False)
    if state.ending in (Ending.REPETITION, Ending.DEAD_POSITION):
        state = state._replace(ending=0)
    return _perft(state, depth) if depth else 1


def count(state: State) -> int:
    """The number of legal turns."""
    if state.ending:
        return 0
    turn = state.turn
    own, other = (state.black, state.white) if turn else (state.white, state.black)
    vacant = state.board ^ own
    masks = TARGET_MASK[turn]
    total = 0
    while own:
        low = own & -own
        own ^= low
        total += (masks[low.bit_length() - 1] & vacant).bit_count()
    return total + other.bit_count() if can_exchange(state) else total


def _perft(state: State, depth: int) -> int:
    if depth == 1:
        return count(state)
    turn = state.turn
    return sum([_perft(play(state, turn, move)[0], depth - 1) for move in legal_moves(state)])
