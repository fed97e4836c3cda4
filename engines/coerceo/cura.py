"""The call "Cura": the side that has just moved threatens to capture (rules §8)."""

from __future__ import annotations

from engines.coerceo.effects import effects
from engines.coerceo.tables import EDGE_MASK, TARGET_MASK, TILE_MASK, members


def threatens(own: int, other: int, board: int, colour: int) -> bool:
    """The side could capture by a plain move if it were to move again.

    A capture closes the last free side of a piece or opens the board's edge beside it, so only moves to such last
    sides and moves of a piece that is alone on its tile are tried.
    """
    vacant = board ^ own
    last_sides = 0
    for number in members(other):
        free = EDGE_MASK[1 - colour][number] & vacant
        if not free & (free - 1):
            last_sides |= free
    pieces = own | other
    for source in members(own):
        targets = TARGET_MASK[colour][source] & vacant
        alone = pieces & TILE_MASK[source // 3] == 1 << source
        for target in members(targets if alone else targets & last_sides):
            moved = own ^ (1 << source | 1 << target)
            if effects(moved, other, board, colour, source // 3, EDGE_MASK[colour][target]).captured:
                return True
    return False
