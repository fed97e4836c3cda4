"""What a turn did, told; each kind has a sentence in the catalogues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.coerceo.board import FIELD_NAMES, TILE_NAMES
from engines.coerceo.state import Ending
from engines.coerceo.tables import members
from engines.kit.game import Fact

EXCHANGED: Final = tuple(tuple(Fact("exchanged", (("field", name),)) for name in names) for names in FIELD_NAMES)
"""By colour and number: that piece was taken in exchange for tiles."""
CAPTURED: Final = tuple(tuple(Fact("captured", (("field", name),)) for name in names) for names in FIELD_NAMES)
"""By colour and number: that piece was enclosed."""
GAINED: Final = tuple(Fact("tile_gained", (("tile", name),)) for name in TILE_NAMES)
"""By tile: it was removed and is the mover's."""
REMOVED: Final = tuple(Fact("tile_removed", (("tile", name),)) for name in TILE_NAMES)
"""By tile: it was removed and is nobody's."""
CURA_CALLED: Final = Fact("cura")
ENDED: Final[tuple[tuple[Fact, ...], ...]] = (
    (),
    (Fact("no_pieces"),),
    (Fact("no_pieces"),),
    (),
    (),
    (Fact("no_action"),),
    (Fact("repetition"),),
    (Fact("dead_position"),),
)
"""By `Ending`. That a seat left is told by the match's own event."""

assert len(ENDED) == len(Ending)


def told(
    colour: int, taken: int | None, removed: Sequence[int], captured: int, cura: bool, ending: int
) -> tuple[Fact, ...]:
    """The facts of a turn of the side `colour` in the order in which they happened.

    `taken` is the number of the field of an exchange; captures of a turn come in the order of tiles, clockwise from
    the top of each [R].
    """
    facts: list[Fact] = []
    enemy = 1 - colour
    if taken is not None:
        facts.append(EXCHANGED[enemy][taken])
    kinds = GAINED if taken is None else REMOVED
    for tile in removed:
        facts.append(kinds[tile])
    if captured:
        for number in sorted(members(captured), key=_clockwise):
            facts.append(CAPTURED[enemy][number])
    if cura:
        facts.append(CURA_CALLED)
    facts.extend(ENDED[ending])
    return tuple(facts)


def _clockwise(number: int) -> tuple[int, int]:
    return number // 3, -(number % 3)
