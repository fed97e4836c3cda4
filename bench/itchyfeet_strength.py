"""How strong the traveller is, with 95 % intervals.

    python -m bench.itchyfeet_strength [--matches N] [--seed S] [--processes P]

Against the random bot at tables of two; and at tables of four against the three simple bots, in every order of the
seats by turns. Prints a table in markdown.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations
from multiprocessing import get_context
from typing import Final, NamedTuple

from bench.itchyfeet import BOTS
from bench.itchyfeet_matches import MODES, match
from bench.itchyfeet_table import interval, table
from cli.output import progress
from clients.bots.itchyfeet import traveller
from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot

TABLES: Final = {"random": ("traveller", "random"), "drawer, robber, trader": ("traveller", *BOTS)}
"""Who sits there, by the opponents' names."""


class Deal(NamedTuple):
    """A match to be played."""

    mode: str
    against: str
    seed: int
    number: int


def won(deal: Deal) -> bool:
    """The traveller wins."""
    orders = list(permutations(TABLES[deal.against]))
    names = orders[deal.number % len(orders)]
    chance = random.Random(f"{deal.seed}/{deal.mode}/{deal.against}/{deal.number}")
    made: dict[str, Callable[[], Bot]] = {**BOTS, "traveller": traveller, "random": lambda: random_bot(chance)}
    played = match([made[name]() for name in names], chance.getrandbits(60), MODES[deal.mode])
    return played.winner >= 0 and names[played.winner] == "traveller"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.itchyfeet_strength", description="The traveller's strength")
    parser.add_argument("--matches", type=int, default=240, help="matches a row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    wanted = parser.parse_args(arguments)
    if min(wanted.matches, wanted.processes) < 1:
        parser.error("expected at least one match and one process")
    rows = [(mode, against) for mode in MODES for against in TABLES]
    cells = []
    with (
        ProcessPoolExecutor(wanted.processes, mp_context=get_context("spawn")) as pool,
        progress("matches", wanted.matches * len(rows)) as advance,
    ):
        for mode, against in rows:
            wins = 0
            deals = [Deal(mode, against, wanted.seed, number) for number in range(wanted.matches)]
            for victory in pool.map(won, deals):
                wins += victory
                advance(1)
            low, high = interval(wins, wanted.matches)
            seats = len(TABLES[against])
            cells.append([mode, against, str(wanted.matches), f"{wins / wanted.matches:.1%}", f"{1 / seats:.0%}"])
            cells[-1].append(f"{low:.1%} to {high:.1%}")
    print(table(["mode", "against", "matches", "won", "fair", "95 % interval"], cells))


if __name__ == "__main__":
    main()
