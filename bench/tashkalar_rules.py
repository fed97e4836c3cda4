"""How fast the rules of Tash-Kalar are on one core: random playouts with their choices.

    python -m bench.tashkalar_rules [--matches N] [--runs N]

Prints medians of the runs for the forms of two seats, and for a melee and teams of four; the schools go round. Moves
are random: picked part by part from the lists of choices and then applied, and again by `playout`, which lists nothing
but what it draws from.
"""

from __future__ import annotations

import argparse
import random

from bench.playouts import Deal, Move, listed, moves_per_s, report
from engines.kit.game import Draw
from engines.kit.state import AnyGame
from engines.tashkalar.cards import SCHOOLS
from engines.tashkalar.game import GAME
from engines.tashkalar.playout import step
from engines.tashkalar.state import State

TABLES = (("high", 2), ("duel", 2), ("first", 2), ("melee", 4), ("high", 4))


def drawn(game: AnyGame, state: State, awaited: frozenset[int], chance: random.Random, draw: Draw) -> State:
    """The state after a move that `playout` makes."""
    return step(state, chance, draw)[0]


def deals(form: str, seats: int, matches: int) -> list[Deal]:
    """Matches whose schools go round."""
    schools = [[SCHOOLS[(match + seat) % len(SCHOOLS)] for seat in range(4)] for match in range(matches)]
    return [
        Deal({"form": form, **{f"deck_{seat}": school for seat, school in enumerate(each)}}, seats) for each in schools
    ]


def measure(name: str, form: str, seats: int, matches: int, runs: int, move: Move) -> None:
    """Prints a line."""
    played = deals(form, seats, matches)
    report(f"{form}, {seats} seats, {name}", lambda seed: moves_per_s(GAME, played, seed, move), runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=12, help="matches a run")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    for form, seats in TABLES:
        measure("choices listed", form, seats, wanted.matches, wanted.runs, listed)
        measure("playout", form, seats, wanted.matches, wanted.runs, drawn)


if __name__ == "__main__":
    main()
