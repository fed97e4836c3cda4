"""Games to play under faults: real Coerceo games, chosen at random beforehand, many of them short."""

from __future__ import annotations

import random
from typing import NamedTuple

from engines.coerceo.game import GAME
from engines.coerceo.meta import DEFAULTS
from engines.kit.no_chance import NO_CHANCE

LONGEST = 60
"""Plies after which a game that is still going on is resigned."""


class Game(NamedTuple):
    """The moves of a game, by turns, seat 0 first. `ends`: the last one ends it by the rules; else it is resigned."""

    options: dict[str, str]
    moves: tuple[str, ...]
    ends: bool


def random_game(chance: random.Random, options: dict[str, str], most: int) -> Game:
    """A game of at most so many plies."""
    state = GAME.setup({**DEFAULTS, **options}, 2, NO_CHANCE)
    moves: list[str] = []
    while len(moves) < most and GAME.outcome(state) is None:
        first = chance.choice(GAME.choices(state, state.turn))
        move = first.text if first.complete else chance.choice(GAME.choices(state, state.turn, first.text)).text
        state, _ = GAME.apply(state, state.turn, move, NO_CHANCE)
        moves.append(move)
    return Game(options, tuple(moves), GAME.outcome(state) is not None)


def library(seed: int, count: int = 120) -> list[Game]:
    """A third are short games to their end by the rules; the others stop early, at the Laurentius start or at Ocius."""
    chance = random.Random(seed)
    natural: list[Game] = []
    while len(natural) < count // 3:
        game = random_game(chance, {"start": "ocius"}, 120)
        if game.ends:
            natural.append(game)
    cut = [
        random_game(chance, {"start": chance.choice(("ocius", "laurentius"))}, chance.randint(2, LONGEST))
        for _ in range(count - len(natural))
    ]
    return natural + cut
