"""Matches of the kit's card game that are kept as logs: hidden hands, draws, time limits, undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tests.engines.kit.cardgame import GAME
from tests.logs.stage import Stage, stage

ONE_ROUND: Final = {"rounds": "1"}


def reckoned() -> Stage:
    """Every kind of move, at the same time and out of turn too; the cellars are counted at the end."""
    match = stage(GAME, 3, options=ONE_ROUND, entropy=b"ann")
    match.sit("bob", entropy=b"bob")
    match.sit("cem", entropy=b"cem")
    before = match.history.seq
    match.move(2, "stake:R4", expected=before)
    match.move(0, "stake:R2", expected=before)
    match.move(1, "stake:Y5", expected=before)
    match.move(0, "lay:Y2@1+G3@3", "end")
    match.move(2, "swap:Y1")
    match.turns("peek:0@3", "call:0:Y", "show:@1", "end")
    match.move(2, "lay:B1@2")
    match.turns("draw", "end")
    return match


def undone() -> Stage:
    """Cards are laid, taken back one by one and all at once, and laid elsewhere."""
    match = Stage(GAME, 2, options=ONE_ROUND)
    match.move(0, "stake:B4")
    match.move(1, "stake:B5")
    match.turns("lay:R1@1", "lay:B1@2")
    match.undo(0)
    match.undo(0, to_seq=6)
    match.turns("lay:B1@1", "lay:R1@3")
    match.undo(0, to_seq=10)
    match.turns("lay:R1@2", "end", "lay:G1@1")
    match.undo(1)
    match.turns("end")
    return match


def deadline() -> Stage:
    """A seat that is asked for a suit does not answer in time."""
    match = Stage(GAME, 2, options={"rounds": "1", "reaction_ms": "5000"})
    match.move(0, "stake:B4")
    match.move(1, "stake:B5")
    match.turns("lay:R1@1", "end", "call:0:R")
    match.wait(5_000)
    match.turns("end")
    return match


def left() -> Stage:
    """A match for four starts with three; one resigns, the others play on, another resigns."""
    match = stage(GAME, 4, options=ONE_ROUND, manual_start=True)
    match.sit("bob")
    match.sit("cem")
    match.start("ann")
    match.move(0, "stake:R4")
    match.resign(1)
    match.move(2, "stake:B5")
    match.turns("draw")
    match.resign(2)
    return match


def tail_lost() -> Stage:
    """The store forgets events before the start, and later a draw: what is drawn in its place is another card."""
    match = stage(GAME, 3, options=ONE_ROUND)
    match.sit("bob")
    match.lose(1)
    match.sit("cem")
    match.sit("dee")
    for seat, stake in enumerate(("stake:B5", "stake:Y4", "stake:R4")):
        match.move(seat, stake)
    match.turns("draw")
    match.lose(1)
    match.turns("draw", "draw", "end", "end", "end")
    return match


def forked() -> Stage:
    """A finished match is forked as one of its seats knew it: the others' cards are imagined anew."""
    match = reckoned().fork(11, "fay", seat=2, known_to=2)
    match.sit("gil", entropy=b"gil")
    match.sit("han")
    match.turns("draw", "end", "draw", "end")
    return match


def forked_by_the_public() -> Stage:
    """A finished match is forked by somebody who knew no hand."""
    match = reckoned().fork(11, "fay")
    match.sit("gil")
    match.sit("han")
    match.turns("draw", "end", "draw", "end")
    return match


MATCHES: Final[Mapping[str, Callable[[], Stage]]] = {
    "reckoned": reckoned,
    "undone": undone,
    "deadline": deadline,
    "left": left,
    "tail_lost": tail_lost,
    "forked": forked,
    "forked_by_the_public": forked_by_the_public,
}
