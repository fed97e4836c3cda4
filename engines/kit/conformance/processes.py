"""The same match gives the same bytes in processes that hash texts differently."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib import import_module
from itertools import islice

from engines.kit.conformance.match import play_match
from engines.kit.conformance.observe import told, view_bytes
from engines.kit.conformance.report import NotConforming, Where, require
from engines.kit.conformance.seats import audiences
from engines.kit.state import AnyGame

MOST_STEPS = 400
_TIMEOUT_S = 120


def load_game(path: str) -> AnyGame:
    """The game at `module:NAME`. Raises ValueError when there is none."""
    module, _, name = path.partition(":")
    game: AnyGame | None = getattr(import_module(module), name, None) if name else None
    if game is None:
        raise ValueError(f"{path!r} names no game; expected module:NAME, as in engines.coerceo:GAME")
    return game


def digests(game: AnyGame, options: Mapping[str, str], seats: int, seed: int) -> list[str]:
    """For each step of a random match a digest of all that can be seen of it, chained to the one before."""
    found: list[str] = []
    previous = b""
    for step in islice(play_match(game, options, seats, seed), MOST_STEPS):
        state = step.after
        seen = (
            step.kind,
            step.seat,
            step.move,
            game.dump(state),
            sorted(game.awaited(state)),
            [list(game.choices(state, seat)) for seat in range(seats)],
            [(told(step.facts, audience), view_bytes(game, state, audience)) for audience in audiences(seats)],
        )
        previous = hashlib.blake2b(previous + repr(seen).encode(), digest_size=8).digest()
        found.append(previous.hex())
    return found


def check_processes(path: str, options: Mapping[str, str], seats: int, seed: int) -> None:
    """Two processes with different `PYTHONHASHSEED` play the same match with the same bytes."""
    command = [sys.executable, "-m", __package__, path, json.dumps(dict(options)), str(seats), str(seed)]
    pipe = subprocess.PIPE
    started = [
        subprocess.Popen(command, env=_environment(hash_seed), stdout=pipe, stderr=pipe, text=True)
        for hash_seed in ("1", "2")
    ]
    try:
        outputs = [process.communicate(timeout=_TIMEOUT_S) for process in started]
    finally:
        for process in started:
            if process.poll() is None:
                process.kill()
                process.wait()
    for process, (_, errors) in zip(started, outputs, strict=True):
        require(process.returncode == 0, "processes", f"the match failed in a process of its own:\n{errors}")
    one, two = (out.split() for out, _ in outputs)
    for seq, (first, second) in enumerate(zip(one, two, strict=False), 1):
        if first != second:
            error = NotConforming("processes", "what is seen depends on PYTHONHASHSEED")
            error.where = Where(path, options, seats, seed, seq)
            raise error
    require(one and len(one) == len(two), "processes", f"{len(one)} and {len(two)} steps of the same match")


def _environment(hash_seed: str) -> dict[str, str]:
    return {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
