"""What it costs to find all summons of a full hand of Tash-Kalar, in microseconds of CPU: the median over positions.

Run: .venv/bin/python -m bench.patterns
"""

from __future__ import annotations

import random
import time
from statistics import median, quantiles

from bench.machine import REFERENCE_NS, loop_ns
from engines.tashkalar.board import SQUARES
from engines.tashkalar.cards import DECKS, LEGENDS, SCHOOLS
from engines.tashkalar.patterns import Ranks, hand_summons

POSITIONS = 2_000
RUNS = 5


def position(chance: random.Random) -> tuple[list[int], Ranks, Ranks]:
    """Three beings, two legends, and 3 to 16 pieces of either side, a third of them upgraded."""
    hand = chance.sample(DECKS[chance.choice(SCHOOLS)], 3) + chance.sample(DECKS[LEGENDS], 2)
    squares = chance.sample(range(SQUARES), SQUARES)
    own, everyone = [0, 0, 0], [0, 0, 0]
    mine, theirs = chance.randrange(3, 17), chance.randrange(3, 17)
    for number, square in enumerate(squares[: mine + theirs]):
        for rank in range(chance.choice((1, 1, 1, 1, 2, 3))):
            everyone[rank] |= 1 << square
            if number < mine:
                own[rank] |= 1 << square
    return hand, (own[0], own[1], own[2]), (everyone[0], everyone[1], everyone[2])


def cost_us(hand: list[int], own: Ranks, everyone: Ranks) -> float:
    times = []
    for _ in range(RUNS):
        began = time.thread_time_ns()
        hand_summons(hand, own, everyone)
        times.append((time.thread_time_ns() - began) / 1e3)
    return min(times)


def measure() -> dict[str, float]:
    chance = random.Random("patterns")
    positions = [position(chance) for _ in range(POSITIONS)]
    for one in positions:
        hand_summons(*one)
    turn = loop_ns()
    costs = [cost_us(*one) for one in positions]
    return {
        "median_us": round(median(costs), 1),
        "p99_us": round(quantiles(costs, n=100)[98], 1),
        "loop_ns": turn,
        "median_us_at_45_ns": round(median(costs) * REFERENCE_NS / turn, 1),
    }


if __name__ == "__main__":
    for name, figure in measure().items():
        print(name, figure)
