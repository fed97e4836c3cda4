"""What Coerceo's rules cost a call, in microseconds of CPU: medians of 7 runs over the positions of random games.

Run: .venv/bin/python bench/coerceo_rules.py [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from statistics import median

from engines.coerceo.choices import legal_moves
from engines.coerceo.game import GAME
from engines.coerceo.meta import DEFAULTS
from engines.coerceo.perft import perft
from engines.coerceo.state import State
from engines.kit.game import PUBLIC
from engines.kit.no_chance import NO_CHANCE

RUNS = 7


def games(start: str, number: int, **options: str) -> list[list[tuple[State, str]]]:
    """Random games: each a list of positions with the move made in them."""
    played = []
    for seed in range(number):
        choose = random.Random(f"{start} {seed}").choice
        state = GAME.setup({**DEFAULTS, "start": start, **options}, 2, NO_CHANCE)
        steps: list[tuple[State, str]] = []
        while not state.ending:
            move = choose(legal_moves(state))
            steps.append((state, move))
            state, _ = GAME.apply(state, state.turn, move, NO_CHANCE)
        played.append(steps)
    return played


def cost_us(call: Callable[[], None], calls: int) -> float:
    times = []
    for _ in range(RUNS):
        begin = time.thread_time()
        call()
        times.append((time.thread_time() - begin) / calls * 1e6)
    return round(median(times), 2)


def measure(start: str, number: int, **options: str) -> dict[str, float]:
    played = games(start, number, **options)
    steps = [step for game in played for step in game]
    states = [state for state, _ in steps]
    heads = [game[0][0] for game in played]
    views = [GAME.view(state, PUBLIC) for state in states]

    def fold() -> None:
        apply = GAME.apply
        for state, game in zip(heads, played, strict=True):
            for _, move in game:
                state, _ = apply(state, state.turn, move, NO_CHANCE)

    def each(function: Callable[[State], object]) -> Callable[[], None]:
        def run() -> None:
            for state in states:
                function(state)

        return run

    def serialise() -> None:
        for view in views:
            view.SerializeToString()

    def second_parts() -> None:
        for state, move in steps:
            GAME.choices(state, state.turn, move[:4] if move[0] != "x" else "x")

    calls = len(steps)
    return {
        "plies": calls,
        "apply": cost_us(fold, calls),
        "dump": cost_us(each(GAME.dump), calls),
        "load": cost_us(each(lambda state: GAME.load(GAME.dump(state))), calls),
        "awaited": cost_us(each(GAME.awaited), calls),
        "outcome": cost_us(each(GAME.outcome), calls),
        "view": cost_us(each(lambda state: GAME.view(state, PUBLIC)), calls),
        "view_bytes": cost_us(serialise, calls),
        "imagine": cost_us(each(lambda state: GAME.imagine(GAME.view(state, PUBLIC), PUBLIC, NO_CHANCE)), calls),
        "choices": cost_us(each(lambda state: GAME.choices(state, state.turn)), calls),
        "choices_part": cost_us(second_parts, calls),
        "legal_moves": cost_us(each(legal_moves), calls),
        "longest_dump": max(len(GAME.dump(state)) for state in states),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object on one line")
    as_json = parser.parse_args().json
    rows: dict[str, object] = {
        "laurentius": measure("laurentius", 10),
        "ocius": measure("ocius", 40),
        "laurentius, cura": measure("laurentius", 2, cura="on"),
    }
    begin = time.thread_time()
    perft(GAME.setup(DEFAULTS, 2, NO_CHANCE), 4)
    rows["perft4_s"] = round(time.thread_time() - begin, 2)
    if as_json:
        print(json.dumps(rows))
        return
    for name, row in rows.items():
        print(name, *(row.items() if isinstance(row, dict) else (row,)), sep="\n  ")


if __name__ == "__main__":
    main()
