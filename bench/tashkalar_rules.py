"""How fast the rules of Tash-Kalar are on one core: random playouts with their choices.

    python -m bench.tashkalar_rules [--matches N] [--runs N]

Prints medians of the runs for the forms of two seats, and for a melee and teams of four; the schools go round. A
playout picks each part of a move from the choices at random and applies the move. Speeds are of CPU time, after a run
that is not counted: where patterns lie is computed once in a process. The last figure is scaled to a machine that turns
a Python loop in 45 ns.
"""

from __future__ import annotations

import argparse
import random
import time
from statistics import median

from bench.machine import loop_ns
from core.fairness.draw import SeededDraw
from engines.tashkalar.cards import SCHOOLS
from engines.tashkalar.game import GAME

TABLES = (("high", 2), ("duel", 2), ("first", 2), ("melee", 4), ("high", 4))
REFERENCE_NS = 45


def playouts(form: str, seats: int, matches: int, seed: int) -> float:
    """Random moves a second of CPU time."""
    defaults = {option.name: option.values[0] for option in GAME.info.options}
    rng = random.Random(seed)
    moves = 0
    began = time.process_time()
    for match in range(matches):
        draw = SeededDraw(seed.to_bytes(16, "big"), match)
        decks = {f"deck_{seat}": SCHOOLS[(match + seat) % len(SCHOOLS)] for seat in range(4)}
        state = GAME.setup({**defaults, **decks, "form": form}, seats, draw)
        while acting := GAME.may_act(state):
            (seat,) = acting
            text, complete = "", False
            while not complete:
                found = GAME.choices(state, seat, text)
                text, _, complete = found[int(rng.random() * len(found))]
            state, _ = GAME.apply(state, seat, text, draw)
            moves += 1
    return moves / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=12, help="matches a run")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    for form, seats in TABLES:
        playouts(form, seats, len(SCHOOLS), wanted.runs)
        before = loop_ns()
        rate = median(playouts(form, seats, wanted.matches, seed) for seed in range(wanted.runs))
        loop = (before + loop_ns()) / 2
        scaled = rate * loop / REFERENCE_NS
        print(
            f"{form}, {seats} seats: {rate:,.0f} random moves/s, choices included, at {loop:.0f} ns a loop turn; "
            f"{scaled:,.0f} at {REFERENCE_NS} ns"
        )


if __name__ == "__main__":
    main()
