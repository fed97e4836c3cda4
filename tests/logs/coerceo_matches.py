"""Coerceo matches that are kept as logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hamle.event.v1 import event_pb2

from engines.coerceo.game import GAME
from tests.logs.stage import Stage, stage

OCIUS: Final = {"start": "ocius"}
MOVES: Final = (
    *("d3a-c4c", "b2f-c3b", "d3c-c3e", "b2d-c2f", "b3c-c3a", "c2f-c2d", "c2a-c2c", "d2b-c3d"),
    *("b3e-c4a", "c3d-d2b", "xd2b", "d2f-c3d", "c4a-c4e", "xc3c", "c3a-c3c"),
)
CLOCK: Final = event_pb2.TimeControl(initial_ms=60_000, increment_ms=2_000)


def won() -> Stage:
    """To the last piece; both sit down in one call, as pairing does it."""
    match = Stage(GAME, options=OCIUS)
    match.turns(*MOVES)
    return match


def clock() -> Stage:
    """A private match with clocks; seats are taken, given back and taken again; a clock runs out."""
    match = stage(
        GAME,
        options={"exchange_cost": "1", "cura": "on"},
        visibility=event_pb2.VISIBILITY_PRIVATE,
        time_control=CLOCK,
        manual_start=True,
        seat=1,
        entropy=b"black",
    )
    match.sit("bob", 0, b"white")
    match.leave("bob")
    match.sit("cem", entropy=bytes(32))
    match.start("ann")
    match.turns("d1e-d1a")
    match.wait(60_000)
    return match


def resigned() -> Stage:
    """The creator sits first, the second seat starts the match; every other option is away from its default."""
    match = stage(GAME, options={"start": "ocius", "repetition_draw": "off", "dead_position_draw": "off"})
    match.sit("bob")
    match.turns(*MOVES[:3])
    match.resign(0)
    return match


def expired() -> Stage:
    """Nobody comes."""
    match = stage(GAME)
    match.wait(60_000)
    return match


def abandoned() -> Stage:
    """All who sat leave."""
    match = stage(GAME, manual_start=True)
    match.sit("bob")
    match.leave("ann")
    match.leave("bob")
    return match


def tail_lost() -> Stage:
    """The store forgets two moves; others are made in their place."""
    match = Stage(GAME, options=OCIUS)
    match.turns(*MOVES[:5])
    match.lose(2)
    match.turns(MOVES[3])
    match.resign(0)
    return match


def forked() -> Stage:
    """A match that is still played is forked; the fork is played on by others to its end."""
    parent = Stage(GAME, options=OCIUS, time_control=CLOCK)
    parent.turns(*MOVES[:8])
    match = parent.fork(9, "fay", seat=1)
    match.sit("gil", entropy=b"again")
    match.turns(*MOVES[5:])
    return match


MATCHES: Final[Mapping[str, Callable[[], Stage]]] = {
    "won": won,
    "clock": clock,
    "resigned": resigned,
    "expired": expired,
    "abandoned": abandoned,
    "tail_lost": tail_lost,
    "forked": forked,
}
