"""The 120 beings, 12 flares and 24 tasks, read from `data/` (rules §1, §18). A card is its number in its list.

Effects are told in `locale/` and played by code of their own; here is what the card's diagram shows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines.tashkalar.board import DIRECTIONS

SCHOOLS: Final = ("imperial", "highland", "sylvan", "everfrost", "nethervoid", "etherweave")
LEGENDS: Final = "legends"

_DATA: Final = Path(__file__).parent / "data"
_LETTERS: Final = "CHL"


class Rank(IntEnum):
    """What a piece and a being can be; a higher number is a higher rank."""

    COMMON = 0
    HEROIC = 1
    LEGENDARY = 2


class Cell(NamedTuple):
    """A piece that a pattern wants: so far to the right of and below the summoning square, of that rank or higher."""

    dx: int
    dy: int
    rank: Rank


class Being(NamedTuple):
    """A being's diagram as printed; offsets are (dx, dy) from the summoning square.

    `squares`, `special` and `directions` are the marks that the effect refers to; where `special` is as long as
    `squares`, each mirrors its fellow. `requires_own` is the rank that an own piece on the summoning square must have.
    With `anywhere`, offsets count from the pattern's middle and the summoning square is any empty colourless one.
    """

    number: int
    key: str
    name: str
    deck: str
    rank: Rank
    pattern: tuple[Cell, ...]
    squares: tuple[tuple[int, int], ...]
    special: tuple[tuple[int, int], ...]
    directions: tuple[int, ...]
    requires_own: Rank | None
    anywhere: bool
    frozen: bool
    warp: bool
    images: int

    @property
    def is_marked(self) -> bool:
        """Whether it matters to the effect which image of the pattern was matched."""
        return bool(self.squares or self.special or self.directions)


class Flare(NamedTuple):
    """By how many pieces the opponent must lead: `upper` in upgraded ones, `lower` in all (rules §8)."""

    number: int
    key: str
    upper: int
    lower: int


class Task(NamedTuple):
    """What a claim is worth, and the criteria that `tasks.py` judges."""

    number: int
    key: str
    name: str
    type: str
    points: int
    advanced: bool
    criteria: Mapping[str, Any]


def _rows(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))
    return rows


def _pairs(row: Mapping[str, Any], mark: str) -> tuple[tuple[int, int], ...]:
    return tuple((dx, dy) for dx, dy in row.get(mark, ()))


def _being(number: int, deck: str, row: Mapping[str, Any]) -> Being:
    pattern = tuple(Cell(dx, dy, Rank(_LETTERS.index(rank))) for dx, dy, rank in row["pattern"])
    anywhere = row.get("anywhere", False)
    own = [cell.rank for cell in pattern if not (anywhere or cell.dx or cell.dy)]
    return Being(
        number=number,
        key=row["key"],
        name=row["name"],
        deck=deck,
        rank=Rank[row["rank"].upper()],
        pattern=pattern,
        squares=_pairs(row, "squares"),
        special=_pairs(row, "special"),
        directions=tuple(DIRECTIONS.index(pair) for pair in _pairs(row, "directions")),
        requires_own=own[0] if own else None,
        anywhere=anywhere,
        frozen=row.get("frozen", False),
        warp=row.get("warp", False),
        images=row["images"],
    )


def _beings(decks: Sequence[str]) -> tuple[Being, ...]:
    rows = [(deck, row) for deck in decks for row in _rows(deck)]
    return tuple(_being(number, deck, row) for number, (deck, row) in enumerate(rows))


BEINGS: Final = _beings((*SCHOOLS, LEGENDS))
FLARES: Final = tuple(Flare(number, f"flare-{number + 1}", **row) for number, row in enumerate(_rows("flares")))
TASKS: Final = tuple(Task(number, **row) for number, row in enumerate(_rows("tasks")))

BEING: Final = {being.key: being.number for being in BEINGS}
"""Number of each being by its key."""
TASK: Final = {task.key: task.number for task in TASKS}
"""Number of each task by its key."""
DECKS: Final = {deck: tuple(being.number for being in BEINGS if being.deck == deck) for deck in (*SCHOOLS, LEGENDS)}
"""The numbers of each deck's beings. Both Empires play the one imperial deck."""
