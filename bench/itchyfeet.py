"""The bot simulation of rules 6.5, through the engine's rules without a server.

    python -m bench.itchyfeet [--matches N] [--seed S] [--processes P] [--seats 2,3,4,5,6] [--mode base|all]

Prints the tables as markdown: how long matches last, who wins by place in the order of turns, by character and by bot.
At each seat plays one of the three simple bots, drawn anew for every match. The same seed gives the same tables on
every machine, with any number of processes.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Final, NamedTuple

from bench.itchyfeet_matches import MODES, Played, match
from bench.itchyfeet_table import Row, tables
from cli.output import progress
from clients.bots.itchyfeet import drawer, robber, trader
from clients.bots.runner import Bot

BOTS: Final[Mapping[str, Callable[[], Bot]]] = {"drawer": drawer, "robber": robber, "trader": trader}
CHUNK: Final = 10
"""Matches that a process plays at a time."""
_BITS: Final = 60


class Chunk(NamedTuple):
    """Matches from `first` on, so many of them, of a row."""

    mode: str
    seats: int
    seed: int
    first: int
    matches: int


def chunks(rows: Sequence[Row], matches: int, seed: int) -> list[Chunk]:
    """What there is to play."""
    return [
        Chunk(mode, seats, seed, first, min(CHUNK, matches - first))
        for mode, seats in rows
        for first in range(0, matches, CHUNK)
    ]


def play(chunk: Chunk) -> list[Played]:
    """The matches of a chunk, in order."""
    return [_one(chunk, number) for number in range(chunk.first, chunk.first + chunk.matches)]


def _one(chunk: Chunk, number: int) -> Played:
    chance = random.Random(f"{chunk.seed}/{chunk.mode}/{chunk.seats}/{number}")
    names = tuple(chance.choice(sorted(BOTS)) for _ in range(chunk.seats))
    bots = [BOTS[name]() for name in names]
    return match(bots, chance.getrandbits(_BITS), MODES[chunk.mode])._replace(bots=names)


def simulate(
    rows: Sequence[Row], matches: int, seed: int, processes: int, advance: Callable[[int], None]
) -> dict[Row, list[Played]]:
    """So many matches of each row, played by processes that are spawned; `advance` hears of finished matches."""
    work = chunks(rows, matches, seed)
    done: dict[Chunk, list[Played]] = {}
    for chunk, played in _played(work, processes):
        done[chunk] = played
        advance(len(played))
    found: dict[Row, list[Played]] = {row: [] for row in rows}
    for chunk in work:
        found[chunk.mode, chunk.seats] += done[chunk]
    return found


def _played(work: Sequence[Chunk], processes: int) -> Iterator[tuple[Chunk, list[Played]]]:
    if processes == 1:
        yield from ((chunk, play(chunk)) for chunk in work)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        under_way = {pool.submit(play, chunk): chunk for chunk in work}
        for ended in as_completed(under_way):
            yield under_way[ended], ended.result()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.itchyfeet", description="The bot simulation of rules 6.5")
    parser.add_argument("--matches", type=int, default=4000, help="matches a row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seats", default="2,3,4,5,6", help="numbers of seats")
    parser.add_argument("--mode", choices=("base", "all", "both"), default="both", help="all: all extensions")
    wanted = parser.parse_args(arguments)
    seats = [int(number) for number in wanted.seats.split(",")]
    if min(wanted.matches, wanted.processes) < 1 or not set(seats) <= set(range(2, 7)):
        parser.error("expected at least one match and one process, and seats of 2 to 6")
    modes = [mode for mode in MODES if wanted.mode == "both" or mode.startswith(wanted.mode)]
    rows = [(mode, number) for mode in modes for number in seats]
    with progress("matches", wanted.matches * len(rows)) as advance:
        played = simulate(rows, wanted.matches, wanted.seed, wanted.processes, advance)
    print(tables(played))


if __name__ == "__main__":
    main()
