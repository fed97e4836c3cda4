"""Bots at a table of the rules alone, each with its own view and choices and nothing beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.seat import choices_of, view_of
from clients.bots.runner import Bot
from core.fairness.draw import SeededDraw
from engines.itchyfeet.game import GAME
from engines.kit.options import full_options


async def winner(bots: Sequence[Bot], seed: int, options: Mapping[str, str]) -> int:
    """Plays a match; the seat that wins, -1 in a draw."""
    seeded = seed.to_bytes(8, "big")
    state, seq = GAME.setup(full_options(GAME.info, options), len(bots), SeededDraw(seeded, 1)), 1
    while (outcome := GAME.outcome(state)) is None:
        for seat in sorted(GAME.awaited(state)):
            seq += 1
            move = await bots[seat](view_of(GAME, state, seat), choices_of(GAME, state, seat))
            state, _ = GAME.apply(state, seat, move, SeededDraw(seeded, seq))
            if GAME.outcome(state) is not None:
                break
    firsts = [place.seat for place in outcome.placements if place.place == 1]
    return firsts[0] if len(firsts) == 1 else -1
