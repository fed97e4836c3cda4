"""Whether hidden things are really hidden: imagined states differ from each other where the game has secrets."""

from __future__ import annotations

from collections.abc import Mapping

from core.fairness.draw import SeededDraw
from engines.kit.conformance.leaks import imagined
from engines.kit.conformance.match import Picker, play_match, seed_bytes
from engines.kit.conformance.report import require
from engines.kit.conformance.seats import audiences
from engines.kit.game import EVERYBODY
from engines.kit.state import AnyGame

MATCHES = 4
DRAWS = 6


def check_hidden_things_vary(game: AnyGame, options: Mapping[str, str], seats: int, picker: Picker) -> None:
    """For each audience, states imagined from one view by several draws differ, somewhere in a few matches.

    What all may see once the match is over leaves nothing to imagine: there they are all the true one.
    """
    varied = set()
    for seed in range(MATCHES):
        steps = list(play_match(game, options, seats, seed, picker))
        for step in steps[:: max(1, len(steps) // 8)]:
            for audience in audiences(seats):
                draws = [SeededDraw(seed_bytes(number), step.seq) for number in range(DRAWS)]
                dumps = {game.dump(imagined(game, step.after, audience, draw)) for draw in draws}
                if len(dumps) > 1:
                    varied.add(audience)
    for audience in audiences(seats):
        if audience == EVERYBODY:
            require(audience not in varied, "imagine", "something is imagined although everything is seen")
        else:
            require(audience in varied, "imagine", f"the game has secrets, but none from audience {audience}")
