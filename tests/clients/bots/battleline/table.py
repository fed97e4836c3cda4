"""Bots at a table of the rules alone, each with its own view and choices and nothing beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hamle.match.v1 import match_pb2
from hamle_client import View

from clients.bots.runner import Bot, Choices
from core.fairness.draw import SeededDraw
from engines.battleline.game import GAME
from engines.battleline.meta import DEFAULTS
from engines.battleline.state import State


def choices_of(state: State, seat: int) -> Choices:
    """What the seat may do, as the API lists it."""

    async def choices(prefix: str) -> Sequence[match_pb2.Choice]:
        return [
            match_pb2.Choice(text=choice.text, targets=choice.targets, complete=choice.complete)
            for choice in GAME.choices(state, seat, prefix)
        ]

    return choices


def view_of(state: State, seat: int) -> View:
    """What the seat sees, as the API shows it."""
    return View(match_pb2.View(), GAME.view(state, seat))


async def match(bots: tuple[Bot, Bot], seed: int, options: Mapping[str, str] | None = None) -> tuple[int, int]:
    """Plays a match; the places of both seats."""
    seeded = seed.to_bytes(8, "big")
    state, seq = GAME.setup({**DEFAULTS, **(options or {})}, 2, SeededDraw(seeded, 1)), 1
    while (outcome := GAME.outcome(state)) is None:
        (seat,) = GAME.awaited(state)
        seq += 1
        move = await bots[seat](view_of(state, seat), choices_of(state, seat))
        state, _ = GAME.apply(state, seat, move, SeededDraw(seeded, seq))
    return outcome.placements[0].place, outcome.placements[1].place


async def wins(one: Bot, other: Bot, deals: range, options: Mapping[str, str] | None = None) -> int:
    """How many matches the first bot wins; each deal is played twice, with the seats changed."""
    won = 0
    for deal in deals:
        won += await match((one, other), deal, options) == (1, 2)
        won += await match((other, one), deal, options) == (2, 1)
    return won
