"""How fast the rules of Itchy Feet are on one core: random playouts with their choices.

    python -m bench.itchyfeet_rules [--matches N] [--runs N]

Prints medians of the runs, for the base game and for all extensions, with two and with six seats.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bench.itchyfeet_matches import MODES
from bench.playouts import Deal, moves_per_s, report
from engines.itchyfeet.game import GAME


def measure(mode: str, deals: Sequence[Deal], runs: int) -> None:
    """Prints a line."""
    report(f"{mode}, {deals[0].seats} seats", lambda seed: moves_per_s(GAME, deals, seed), runs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1, help="matches a run")
    parser.add_argument("--runs", type=int, default=9)
    wanted = parser.parse_args()
    for mode, options in MODES.items():
        for seats in (2, 6):
            measure(mode, [Deal(options, seats)] * wanted.matches, wanted.runs)


if __name__ == "__main__":
    main()
