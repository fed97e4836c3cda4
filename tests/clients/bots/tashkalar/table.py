"""Bots at a table of the rules alone, each with its own view and choices and nothing beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.seat import choices_of, view_of
from clients.bots.runner import Bot
from core.fairness.draw import SeededDraw
from engines.kit.game import Outcome
from engines.kit.options import full_options
from engines.tashkalar.game import GAME


async def played(bots: Sequence[Bot], seed: int, options: Mapping[str, str]) -> Outcome:
    """Plays a match to its outcome."""
    seeded = seed.to_bytes(8, "big")
    state, seq = GAME.setup(full_options(GAME.info, options), len(bots), SeededDraw(seeded, 1)), 1
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.awaited(state)
        seq += 1
        move = await bots[seat](view_of(GAME, state, seat), choices_of(GAME, state, seat))
        state, _ = GAME.apply(state, seat, move, SeededDraw(seeded, seq))
    return outcome


async def winner(bots: Sequence[Bot], seed: int, options: Mapping[str, str]) -> int:
    """Plays a match; the seat that wins, -1 where several share the first place."""
    outcome = await played(bots, seed, options)
    firsts = [place.seat for place in outcome.placements if place.place == 1]
    return firsts[0] if len(firsts) == 1 else -1
