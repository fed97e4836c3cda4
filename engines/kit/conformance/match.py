"""Random matches, played over the bare rules: no log, no clock, the same for the same seed on every machine."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final, NamedTuple

from core.fairness.draw import SeededDraw
from engines.kit.conformance.report import NotConforming
from engines.kit.game import Fact, GameInfo, IllegalMove
from engines.kit.options import full_options
from engines.kit.state import AnyGame

LONGEST: Final = 5_000
"""Steps after which a random match counts as endless."""

Picker = Callable[[AnyGame, Any, int, random.Random], str]
"""Picks a legal move of a seat in a state: `picker(game, state, seat, rng)`."""


class Step(NamedTuple):
    """What happened at `seq`: `setup` (no state before), `move`, `leave` or `time_out` (no seat)."""

    seq: int
    kind: str
    seat: int | None
    move: str
    before: Any
    after: Any
    facts: Sequence[Fact]


def option_sets(info: GameInfo) -> list[dict[str, str]]:
    """The defaults, and for each other value of each option the defaults with that one changed."""
    others = [{option.name: value} for option in info.options for value in option.values[1:]]
    return [full_options(info, named) for named in ({}, *others)]


def seed_bytes(seed: int) -> bytes:
    """The seed of a random match's draws, 32 bytes."""
    return hashlib.sha256(f"hamle/random match {seed}".encode()).digest()


def random_move(game: AnyGame, state: Any, seat: int, rng: random.Random) -> str:
    """A move composed part by part, each picked at random; a move that could end and go on does either."""
    text, complete = "", False
    while True:
        found = game.choices(state, seat, text)
        if complete and (not found or rng.random() < 0.5):
            return text
        if not found:
            raise NotConforming("choices", f"seat {seat} cannot go on from {text!r}, which is not a complete move")
        choice = found[rng.randrange(len(found))]
        text, complete = choice.text, choice.complete


def play_match(
    game: AnyGame,
    options: Mapping[str, str],
    seats: int,
    seed: int,
    picker: Picker = random_move,
    *,
    departures: float = 0.0,
) -> Iterator[Step]:
    """A match from its set-up to its outcome, step by step; `departures` is the chance a step that a seat leaves.

    Raises `NotConforming` when nobody can go on, or when the match does not end.
    """
    full = full_options(game.info, options)
    state = game.setup(full, seats, SeededDraw(seed_bytes(seed), 1))
    yield Step(1, "setup", None, "", None, state, ())
    yield from play_on(game, state, seats, seed, picker, departures=departures)


def play_on(
    game: AnyGame,
    state: Any,
    seats: int,
    seed: int,
    picker: Picker = random_move,
    *,
    seq: int = 1,
    departures: float = 0.0,
) -> Iterator[Step]:
    """The steps after `seq`, at which the match had come to `state`, to its outcome."""
    rng = random.Random(f"{seed} {seq}")
    drawn = seed_bytes(seed)
    staying = set(range(seats))
    for at in count(seq + 1):
        if game.outcome(state) is not None:
            return
        if at > LONGEST:
            raise NotConforming("match", f"there is no outcome after {LONGEST} steps")
        draw = SeededDraw(drawn, at)
        limit = game.limit_ms(state)
        mover = _mover(game, state, rng)
        if rng.random() < departures:
            leaver = rng.choice(sorted(staying))
            staying.discard(leaver)
            after, facts = game.leave(state, leaver, draw)
            step = Step(at, "leave", leaver, "", state, after, facts)
        elif limit is not None and (mover is None or rng.random() < 0.1):
            after, facts = game.time_out(state, draw)
            step = Step(at, "time_out", None, "", state, after, facts)
        elif mover is not None:
            move = picker(game, state, mover, rng)
            try:
                after, facts = game.apply(state, mover, move, draw)
            except IllegalMove as error:
                raise NotConforming("choices", f"{move!r} of seat {mover} was picked but refused: {error}") from error
            step = Step(at, "move", mover, move, state, after, facts)
        else:
            raise NotConforming("match", "nobody can act, no time limit runs, and there is no outcome")
        yield step
        state = step.after


def _mover(game: AnyGame, state: Any, rng: random.Random) -> int | None:
    """Mostly one of the seats that must act, sometimes one that merely can; None: nobody has a choice."""
    must = sorted(game.awaited(state))
    can = sorted(game.may_act(state) - game.awaited(state))
    first, second = (can, must) if rng.random() < 0.15 else (must, can)
    for seats in (first, second):
        able = [seat for seat in seats if game.choices(state, seat)]
        if able:
            return able[rng.randrange(len(able))]
    return None
