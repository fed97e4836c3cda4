"""Tests of effects as rows: a position, a move, and what it leads to.

    Case("swordmaster", "destroys at a corner and is upgraded", "e4 e6 | d4", "e5;d4", "e4 He5 e6",
         then={"destroyed": "C1:1"})

- `before` and `after` are boards as `table.py` reads them; `after` is compared whole.
- `move` begins with the summoning square, or `flare`, `thaw` or `warp`, for flares, frozen and warp effects; then come
  the answers. `e5r2` names an image of the pattern (README), `e5` takes the first that matches there.
- `asks` holds the answers that are possible after the move, in any order, `-` for declining: then the move is not done
  yet, and `after` is the board as it is there. Empty, the default: nothing more is asked. Where there are many,
  `offers` and `refuses` hold some that are possible and some that are not.
- `given` are keywords of `table.position`, `then` names of `table.describe`.

Names tell what is shown. A card wants a case for its normal course, for each boundary (nothing to choose, own pieces
hit, shortage, the edge, a higher rank in the way) and for whatever its notes say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.tashkalar.cards import BEING, BEINGS, LEGENDS, SCHOOLS
from engines.tashkalar.notation import read_head, write
from engines.tashkalar.run import Run, begin, take
from engines.tashkalar.scene import Scene
from engines.tashkalar.state import State
from engines.tashkalar.summoning import ways
from tests.engines.tashkalar.table import FLARE, board, describe, drawing, position

KINDS = {"thaw": "frozen", "warp": "warp", "flare": "flare"}


@dataclass(frozen=True)
class Case:
    """A row: see above."""

    card: str
    name: str
    before: str
    move: str
    after: str
    asks: str = ""
    offers: str = ""
    refuses: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    then: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.card}: {self.name}"

    @property
    def kind(self) -> str:
        """Which effect of the card it tests: `being`, `frozen`, `warp` or `flare`."""
        return KINDS.get(self.move.split(";")[0], "being")

    def start(self) -> State:
        """The position before the move."""
        deck = BEINGS[BEING[self.card]].deck if self.card in BEING else "imperial"
        given: dict[str, Any] = {"deck": deck if deck in SCHOOLS and deck != LEGENDS else "imperial", **self.given}
        given["colours"] = given.get("colours", max(2, self.before.count("|") + 1))
        place = {"thaw": "frozen"}.get(self.move.split(";")[0], "hand")
        if given.get("pending") != self.card:
            given[place] = f"{self.card} {given.get(place, '')}".strip()
        return position(self.before, **given)

    def run(self) -> Run:
        """The move with its answers."""
        first, *answers = self.move.split(";")
        state = self.start()
        run = begin(state, 0, _head(state, self.card, first))
        for answer in answers:
            take(run, answer)
        return run

    def check(self) -> None:
        """Runs the move and compares. Raises AssertionError or IllegalMove."""
        run = self.run()
        asked: set[str] = set()
        if run.request is not None:
            asked = {write(option) for option in run.request.options} | set(["-"][: run.request.optional])
        if self.offers or self.refuses:
            assert asked, "nothing is asked"
            assert set(self.offers.split()) <= asked
            assert not asked & set(self.refuses.split())
        else:
            assert asked == set(self.asks.split())
        after = run.scene.after()
        assert drawing(after.board) == drawing(board(self.after, len(after.board) // 3))
        for name, wanted in self.then.items():
            assert describe(after, name) == wanted, name


def _head(state: State, card: str, first: str) -> Any:
    if first in KINDS:
        return read_head(f"{first[0].upper()}:{card}")
    if "r" in first or "+" in first or "~" in first:
        return read_head(f"S:{card}@{first}")
    found = [way.text for way in ways(Scene(state, 0), BEING[card]) if way.text.startswith(f"{first}r")]
    assert found, f"{card} cannot be summoned on {first}"
    return read_head(f"S:{card}@{found[0]}")


def number(card: str) -> int:
    """The number of a being or flare."""
    return BEING[card] if card in BEING else FLARE[card]
