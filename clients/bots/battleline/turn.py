"""What the choices of a turn mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clients.bots.battleline.table import FOG, MUD, NUMBERS, TROOPS
from clients.bots.runner import Choices


class Play(NamedTuple):
    """A card that can be played to a flag (0..8), and the move's text."""

    text: str
    card: int
    flag: int


async def plays_to_flags(choices: Choices, firsts: Sequence[str]) -> list[Play]:
    """All plays of a card to a flag among the first parts of moves."""
    found = []
    for first in firsts:
        if first.endswith("@"):
            card = NUMBERS[first[:-1]]
            found += [Play(each.text, card, int(each.text[-1]) - 1) for each in await choices(first)]
    return found


async def troop_plays(choices: Choices, firsts: Sequence[str]) -> list[Play]:
    """All plays of a troop."""
    troops = [first for first in firsts if first.endswith("@") and NUMBERS[first[:-1]] < TROOPS]
    return await plays_to_flags(choices, troops)


async def complete(choices: Choices, first: str) -> list[str]:
    """All moves that begin so."""
    found: list[str] = []
    open_parts = [first]
    while open_parts:
        for each in await choices(open_parts.pop()):
            (found if each.complete else open_parts).append(each.text)
    return found


def is_environment(card: int) -> bool:
    """True for Fog and Mud."""
    return card in (FOG, MUD)
