"""How fast the machine is just now, in a unit that anybody can measure: what a turn of a plain Python loop costs.

Machines, and the same machine at another hour, differ by far more than any optimisation; two figures say something
about each other only after this one was looked at.
"""

from __future__ import annotations

import time
from statistics import median

REFERENCE_NS = 45
"""What a turn costs on a free core of 3 GHz under CPython 3.13; wanted figures are meant for such a core."""
TURNS = 300_000
RUNS = 9


def loop_ns() -> float:
    """Nanoseconds of CPU for a turn of `x += i & 7`, see `REFERENCE_NS`."""
    times = []
    for _ in range(RUNS):
        began, x = time.process_time_ns(), 0
        for i in range(TURNS):
            x += i & 7
        times.append((time.process_time_ns() - began) / TURNS)
    return round(median(times), 1)


if __name__ == "__main__":
    print(loop_ns())
