"""Bots at a table of the rules alone, each with its own view and choices and nothing beside them."""

from __future__ import annotations

from collections.abc import Mapping

from bench.seat import choices_of, view_of
from clients.bots.runner import Bot
from core.fairness.draw import SeededDraw
from engines.battleline.game import GAME
from engines.battleline.meta import DEFAULTS


async def match(bots: tuple[Bot, Bot], seed: int, options: Mapping[str, str] | None = None) -> tuple[int, int]:
    """Plays a match; the places of both seats."""
    seeded = seed.to_bytes(8, "big")
    state, seq = GAME.setup({**DEFAULTS, **(options or {})}, 2, SeededDraw(seeded, 1)), 1
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.awaited(state)
        seq += 1
        move = await bots[seat](view_of(GAME, state, seat), choices_of(GAME, state, seat))
        state, _ = GAME.apply(state, seat, move, SeededDraw(seeded, seq))
    return outcome.placements[0].place, outcome.placements[1].place


async def wins(one: Bot, other: Bot, deals: range, options: Mapping[str, str] | None = None) -> int:
    """How many matches the first bot wins; each deal is played twice, with the seats changed."""
    won = 0
    for deal in deals:
        won += await match((one, other), deal, options) == (1, 2)
        won += await match((other, one), deal, options) == (2, 1)
    return won
