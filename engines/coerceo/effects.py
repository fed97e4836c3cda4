"""What follows from a turn: tiles that go and pieces that are enclosed (rules §5, §6)."""

from __future__ import annotations

from typing import NamedTuple

from engines.coerceo.tables import BESIDE_TILE, CLOCKWISE, EDGE_MASK, REMOVABLE, RING, TILE_MASK, members


class Effects(NamedTuple):
    """The enemy's pieces and the board afterwards, the tiles removed in order, and the set of captured pieces."""

    other: int
    board: int
    removed: tuple[int, ...]
    captured: int


def removal(board: int, pieces: int, tile: int) -> tuple[int, ...]:
    """The tiles that go after a piece has left `tile`, the chain breadth first, neighbours clockwise from the top.

    The order never matters for the result [D]; it is fixed for reproducible logs [R].
    """
    removed: list[int] = []
    waiting = [tile]
    for candidate in waiting:
        mask = TILE_MASK[candidate]
        if board & mask and not pieces & mask and board & RING[candidate] in REMOVABLE[candidate]:
            board &= ~mask
            removed.append(candidate)
            waiting.extend(CLOCKWISE[candidate])
    return tuple(removed)


def effects(own: int, other: int, board: int, colour: int, left: int, suspects: int) -> Effects:
    """What follows after a piece has left the tile `left`, by a move or an exchange of the side `colour`.

    `own` and `other` are the pieces after that; `suspects` the enemy's fields that lost a free side by it. Only pieces
    that lose a free side in this turn are captured, so who moves into an enclosed field is safe.
    """
    enemy = 1 - colour
    removed = removal(board, own | other, left)
    for tile in removed:
        board &= ~TILE_MASK[tile]
        suspects |= BESIDE_TILE[enemy][tile]
    vacant = board ^ own
    captured = 0
    for number in members(suspects & other):
        if not EDGE_MASK[enemy][number] & vacant:
            captured |= 1 << number
    return Effects(other ^ captured, board, removed, captured)
