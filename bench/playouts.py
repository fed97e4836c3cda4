"""Random playouts over a game's bare rules, and how many moves a second they make on one core."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Mapping
from statistics import median
from typing import Any, Final, NamedTuple

from bench.machine import REFERENCE_NS, loop_ns
from core.fairness.draw import SeededDraw
from core.process.garbage import collect_seldom
from engines.kit.conformance.match import seed_bytes
from engines.kit.game import Draw
from engines.kit.options import full_options
from engines.kit.state import AnyGame

LONGEST: Final = 1_500
"""Moves after which a match is left: random play of some games goes on for very long."""


class Deal(NamedTuple):
    """A match to be played: the options that are not defaults, and how many seats."""

    options: Mapping[str, str]
    seats: int


Move = Callable[[AnyGame, Any, frozenset[int], random.Random, Draw], Any]
"""Makes a random move: `move(game, state, awaited, chance, draw)` gives the state after it."""


def listed(game: AnyGame, state: Any, awaited: frozenset[int], chance: random.Random, draw: Draw) -> Any:
    """The state after a move picked part by part from the choices, of a seat that must act.

    It ends at the first part that is a move; the conformance suite's own picker looks for longer ones, which costs.
    """
    acting = sorted(awaited)
    seat = acting[int(chance.random() * len(acting))]
    text, complete = "", False
    while not complete:
        found = game.choices(state, seat, text)
        text, _, complete = found[int(chance.random() * len(found))]
    return game.apply(state, seat, text, draw)[0]


def moves_per_s(game: AnyGame, deals: Iterable[Deal], seed: int, move: Move = listed) -> float:
    """Random moves a second of CPU time."""
    chance = random.Random(seed)
    moves = 0
    began = time.process_time()
    for number, (options, seats) in enumerate(deals):
        draw = SeededDraw(seed_bytes(seed), number)
        state = game.setup(full_options(game.info, options), seats, draw)
        for _ in range(LONGEST):
            awaited = game.awaited(state)
            if not awaited:
                break
            state = move(game, state, awaited, chance, draw)
            moves += 1
    return moves / (time.process_time() - began)


def report(name: str, rate: Callable[[int], float], runs: int) -> None:
    """Prints the median of `rate(seed)` over the runs, and what it comes to where a loop turn costs the reference.

    The loop is measured before and after each run. A run that is not counted comes first: some games compute tables
    once in a process. Garbage is collected as seldom as in a server.
    """
    collect_seldom()
    rate(runs)
    rates, loops = [], [loop_ns()]
    for seed in range(runs):
        rates.append(rate(seed))
        loops.append(loop_ns())
    scaled = [each * (loops[n] + loops[n + 1]) / 2 / REFERENCE_NS for n, each in enumerate(rates)]
    print(
        f"{name}: {median(rates):,.0f} random moves/s where a turn of a Python loop costs {median(loops):.0f} ns, "
        f"{median(scaled):,.0f} at {REFERENCE_NS} ns",
        flush=True,
    )
