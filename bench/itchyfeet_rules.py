"""How fast the rules of Itchy Feet are on one core: random playouts with their choices.

    python -m bench.itchyfeet_rules [--matches N] [--runs N]

Prints medians of the runs, for the base game and for all extensions, with two and with six seats, and what each run
comes to where a turn of a Python loop costs 45 ns: that is measured before and after each run. A playout picks one of
the seats that must act and each part of its move from the choices at random, and applies the move.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Mapping
from statistics import median

from bench.machine import loop_ns
from core.fairness.draw import SeededDraw
from engines.itchyfeet.game import GAME

EXTENSIONS = ("events", "special_items", "contraband", "postcards", "characters")
LONGEST = 1_500


def playouts(options: Mapping[str, str], seats: int, matches: int, seed: int) -> float:
    """Random moves a second of CPU time."""
    everything = {option.name: option.values[0] for option in GAME.info.options} | dict(options)
    rng = random.Random(seed)
    moves = 0
    began = time.process_time()
    for match in range(matches):
        draw = SeededDraw(seed.to_bytes(16, "big"), match)
        state = GAME.setup(everything, seats, draw)
        for _ in range(LONGEST):
            acting = sorted(GAME.awaited(state))
            if not acting:
                break
            seat = acting[int(rng.random() * len(acting))]
            text, complete = "", False
            while not complete:
                found = GAME.choices(state, seat, text)
                text, _, complete = found[int(rng.random() * len(found))]
            state, _ = GAME.apply(state, seat, text, draw)
            moves += 1
    return moves / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1, help="matches a run")
    parser.add_argument("--runs", type=int, default=9)
    wanted = parser.parse_args()
    for name, options in (("base game", {}), ("all extensions", dict.fromkeys(EXTENSIONS, "on"))):
        for seats in (2, 6):
            rates, loops = [], [loop_ns()]
            for _ in range(wanted.runs):
                rates.append(playouts(options, seats, wanted.matches, seed=1))
                loops.append(loop_ns())
            at_45 = [rate * (loops[n] + loops[n + 1]) / 2 / 45 for n, rate in enumerate(rates)]
            print(
                f"{name}, {seats} seats: {median(rates):,.0f} random moves/s, choices included, where a turn of a "
                f"Python loop costs {median(loops)} ns: {median(at_45):,.0f} at 45 ns",
                flush=True,
            )


if __name__ == "__main__":
    main()
