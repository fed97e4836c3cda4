"""The first pieces of a deathmatch, set by whoever has the last turn of the first round (rules §4)."""

from __future__ import annotations

from engines.tashkalar.board import DUEL_START, MELEE_SYMBOLS, mask_of
from engines.tashkalar.scene import Asking, Scene
from engines.tashkalar.state import Form


def set_first(g: Scene) -> Asking[None]:
    """Both start squares of a duel; in a melee one square beside each symbol, in three colours."""
    if g.before.rules.form is not Form.MELEE:
        own = yield from g.pick(mask_of(DUEL_START))
        for square in DUEL_START:
            g.place(square, colour=g.me if square == own else 1 - g.me)
        return
    colours = set_colours(g)
    for pair in MELEE_SYMBOLS:
        colour = yield from g.colour(colours)
        colours.remove(colour)
        square = yield from g.pick(mask_of(pair))
        g.place(square, colour=colour)


def set_colours(g: Scene) -> list[int]:
    """The colours that have a first piece in a melee: of four players not the one who has the second turn."""
    seats = g.before.rules.seats
    second = (g.before.turn.seat + 1) % seats
    return [seat for seat in range(seats) if seats == len(MELEE_SYMBOLS) or seat != second]
