"""A seat at a table of the rules alone: what the API would show and list to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hamle.match.v1 import match_pb2
from hamle_client import View

from clients.bots.runner import Choices
from engines.kit.state import AnyGame


def choices_of(game: AnyGame, state: Any, seat: int) -> Choices:
    """What the seat may do, as the API lists it."""

    async def choices(prefix: str) -> Sequence[match_pb2.Choice]:
        return [
            match_pb2.Choice(text=choice.text, targets=choice.targets, complete=choice.complete)
            for choice in game.choices(state, seat, prefix)
        ]

    return choices


def view_of(game: AnyGame, state: Any, seat: int) -> View:
    """What the seat sees, as the API shows it."""
    return View(match_pb2.View(), game.view(state, seat))
