"""Games to play under load: real Coerceo games, chosen at random beforehand so that choosing costs the load nothing."""

from __future__ import annotations

import random
from typing import Final

from engines.coerceo.game import GAME
from engines.coerceo.meta import DEFAULTS
from engines.kit.no_chance import NO_CHANCE

LONGEST: Final = 700
"""Plies that about one random game in sixty lasts; longer ones are not looked for."""


def long_game(seed: int, plies: int) -> list[str]:
    """The moves of a random game from the Laurentius start that goes on for at least so many plies."""
    if plies > LONGEST:
        raise SystemExit(f"Random games of {plies} moves are hardly found; ask for at most {LONGEST}.")
    for attempt in range(1_000):
        rng = random.Random(f"{seed} {attempt}")
        state = GAME.setup(DEFAULTS, 2, NO_CHANCE)
        moves: list[str] = []
        while len(moves) < plies and GAME.outcome(state) is None:
            seat = state.turn
            first = rng.choice(GAME.choices(state, seat))
            move = first.text
            if not first.complete:
                move = rng.choice(GAME.choices(state, seat, move)).text
            state, _ = GAME.apply(state, seat, move, NO_CHANCE)
            moves.append(move)
        if len(moves) >= plies and GAME.outcome(state) is None:
            return moves
    raise AssertionError(f"no random game of {plies} plies was found")
