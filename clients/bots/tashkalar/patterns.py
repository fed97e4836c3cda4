"""Where patterns can lie on the arena, as sets of squares: an int of 81 bits, 9 * row + column from the top left."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from clients.bots.tashkalar.diagrams import PATTERNS

_SIZE: Final = 9
_TURNS: Final = tuple(
    turn
    for a, b, c, d in ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
    for turn in ((a, b, c, d), (-a, -b, c, d))
)
"""The eight positions of a diagram, as matrices by rows."""
RANKS: Final = "CHL"


class Lying(NamedTuple):
    """A pattern on the arena: its squares by lowest rank, and where the being lands; 0: on any square."""

    pieces: int
    upgraded: int
    landing: int


def bit(name: str) -> int:
    """The square of this name as a set."""
    return 1 << _SIZE * (int(name[1]) - 1) + ord(name[0]) - ord("a")


def is_square(text: str) -> bool:
    """Whether an answer is a square."""
    return len(text) == 2 and "a" <= text[0] <= "i" and "1" <= text[1] <= "9"


def rank(key: str) -> int:
    """The rank of a being, 1 for common to 3 for legendary."""
    return RANKS.index(PATTERNS[key][0]) + 1


@cache
def lying(key: str) -> tuple[Lying, ...]:
    """All places of a being's pattern."""
    head, *texts = PATTERNS[key].split()
    cells = [(text[0] != "C", int(text[1:3]), int(text[3:5])) for text in texts]
    found: dict[Lying, None] = {}
    for a, b, c, d in _TURNS:
        turned = [(upgraded, a * dx + b * dy, c * dx + d * dy) for upgraded, dx, dy in cells]
        for y in range(_SIZE):
            for x in range(_SIZE):
                squares = [(upgraded, x + dx, y + dy) for upgraded, dx, dy in turned]
                if _on_board(x, y) and all(_on_board(column, row) for _, column, row in squares):
                    masks = [(upgraded, 1 << _SIZE * row + column) for upgraded, column, row in squares]
                    found[
                        Lying(
                            sum(mask for _, mask in masks),
                            sum(mask for upgraded, mask in masks if upgraded),
                            0 if "*" in head else 1 << _SIZE * y + x,
                        )
                    ] = None
    return tuple(found)


def _on_board(x: int, y: int) -> bool:
    """Three squares are missing at each corner."""
    return 0 <= x < _SIZE and 0 <= y < _SIZE and 2 <= x + y <= 14 and abs(x - y) <= 6


ARENA: Final = sum(1 << _SIZE * y + x for y in range(_SIZE) for x in range(_SIZE) if _on_board(x, y))
"""The 69 squares."""
