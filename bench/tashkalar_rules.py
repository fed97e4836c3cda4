"""How fast the rules of Tash-Kalar are on one core: random playouts with their choices.

    python -m bench.tashkalar_rules [--matches N] [--runs N]

Prints medians of the runs for the forms of two seats, and for a melee and teams of four; the schools go round. Moves
are random: picked part by part from the lists of choices and then applied, and again by `playout`, which lists nothing
but what it draws from. Speeds are of CPU time, after a run
that is not counted: where patterns lie is computed once in a process. The last figure is scaled to a machine that turns
a Python loop in 45 ns.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from statistics import median

from bench.machine import loop_ns
from core.fairness.draw import SeededDraw
from engines.kit.game import Draw
from engines.tashkalar.cards import SCHOOLS
from engines.tashkalar.game import GAME
from engines.tashkalar.playout import step
from engines.tashkalar.state import State

TABLES = (("high", 2), ("duel", 2), ("first", 2), ("melee", 4), ("high", 4))
REFERENCE_NS = 45


def listed(state: State, chance: random.Random, draw: Draw) -> State:
    """The state after a move picked part by part from the choices."""
    (seat,) = GAME.may_act(state)
    text, complete = "", False
    while not complete:
        found = GAME.choices(state, seat, text)
        text, _, complete = found[int(chance.random() * len(found))]
    return GAME.apply(state, seat, text, draw)[0]


def drawn(state: State, chance: random.Random, draw: Draw) -> State:
    """The state after a move that `playout` makes."""
    return step(state, chance, draw)[0]


def moves_per_s(
    move: Callable[[State, random.Random, Draw], State], form: str, seats: int, matches: int, seed: int
) -> float:
    """Random moves a second of CPU time."""
    defaults = {option.name: option.values[0] for option in GAME.info.options}
    chance = random.Random(seed)
    moves = 0
    began = time.process_time()
    for match in range(matches):
        draw = SeededDraw(seed.to_bytes(16, "big"), match)
        decks = {f"deck_{seat}": SCHOOLS[(match + seat) % len(SCHOOLS)] for seat in range(4)}
        state = GAME.setup({**defaults, **decks, "form": form}, seats, draw)
        while not state.over:
            state = move(state, chance, draw)
            moves += 1
    return moves / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=12, help="matches a run")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    for form, seats in TABLES:
        for name, move in (("choices listed", listed), ("playout", drawn)):
            moves_per_s(move, form, seats, len(SCHOOLS), wanted.runs)
            before = loop_ns()
            rates = [moves_per_s(move, form, seats, wanted.matches, seed) for seed in range(wanted.runs)]
            loop = (before + loop_ns()) / 2
            rate = median(rates)
            print(
                f"{form}, {seats} seats, {name}: {rate:,.0f} random moves/s at {loop:.0f} ns a loop turn, "
                f"{rate * loop / REFERENCE_NS:,.0f} at {REFERENCE_NS} ns"
            )


if __name__ == "__main__":
    main()
