"""Bots at a table of the rules alone, each with its own view and choices and nothing beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hamle.match.v1 import match_pb2
from hamle_client import View

from clients.bots.runner import Bot, Choices
from core.fairness.draw import SeededDraw
from engines.itchyfeet.game import GAME
from engines.itchyfeet.state import State
from engines.kit.options import full_options


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


async def winner(bots: Sequence[Bot], seed: int, options: Mapping[str, str]) -> int:
    """Plays a match; the seat that wins, -1 in a draw."""
    seeded = seed.to_bytes(8, "big")
    state, seq = GAME.setup(full_options(GAME.info, options), len(bots), SeededDraw(seeded, 1)), 1
    while (outcome := GAME.outcome(state)) is None:
        for seat in sorted(GAME.awaited(state)):
            seq += 1
            move = await bots[seat](view_of(state, seat), choices_of(state, seat))
            state, _ = GAME.apply(state, seat, move, SeededDraw(seeded, seq))
            if GAME.outcome(state) is not None:
                break
    firsts = [place.seat for place in outcome.placements if place.place == 1]
    return firsts[0] if len(firsts) == 1 else -1
