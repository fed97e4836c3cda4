"""All checks of one random match."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from core.fairness.draw import SeededDraw
from engines.kit.conformance import leaks, looks, moves, seats, values
from engines.kit.conformance.match import Picker, Step, play_match, play_on, seed_bytes
from engines.kit.conformance.report import NotConforming, Where, require
from engines.kit.game import EVERYBODY
from engines.kit.state import AnyGame

MOST_APPLIED = 40
"""Moves of a seat that are tried at a position; where there are more, so many at random."""
WRONG_MOVES = 60


def inspect_match(
    game: AnyGame,
    options: Mapping[str, str],
    count: int,
    seed: int,
    picker: Picker,
    *,
    positions: int,
    departures: float = 0.0,
    leaks_only: bool = False,
) -> int:
    """Plays a random match of `count` seats and checks it; returns its steps. Raises `NotConforming`.

    Small promises are checked at each step, costly ones at `positions` steps picked at random; `leaks_only` leaves all
    out but the proofs that nothing leaks.
    """
    where = Where(game.info.rules, options, count, seed, 0)
    rng = random.Random(f"inspect {seed}")
    steps: list[Step] = []
    data = b""
    try:
        for step in play_match(game, options, count, seed, picker, departures=departures):
            where = where._replace(seq=step.seq)
            steps.append(step)
            if not leaks_only:
                data = _check_step(game, step, data, count)
        for step in sorted(rng.sample(steps, min(positions, len(steps)))):
            where = where._replace(seq=step.seq)
            staying = set(range(count)) - {s.seat for s in steps[: step.seq] if s.kind == "leave"}
            position = _Position(game, step, count, sorted(staying), seed, steps)
            if not leaks_only:
                position.check_moves(rng)
                values.check_repeatable(game, step, seed)
            position.check_leaks(rng)
        if not leaks_only and seed % 10 == 0:
            where = where._replace(seq=steps[len(steps) // 2].seq)
            _imagined_states_play_on(game, steps[len(steps) // 2], count, seed, picker)
    except NotConforming as error:
        error.where = where
        raise
    except Exception as error:
        error.add_note(f"raised {where}")
        raise
    return len(steps)


def _check_step(game: AnyGame, step: Step, data: bytes, count: int) -> bytes:
    """Checks the step and returns the bytes of the state after it; `data` are those of the state before."""
    if step.kind != "setup":
        values.check_unchanged(game, step.before, data, f"{step.kind} {step.move!r}")
    seats.check_seats(game, step.after, count)
    seats.check_facts(game.info, step.facts, count)
    if step.kind == "leave":
        seats.check_departure(game, step)
    if step.kind == "move" and step.seat is not None:
        for audience in (step.seat, EVERYBODY):
            read = game.redact(step.before, step.seat, step.move, audience)
            require(read == step.move, "redact", f"{step.move!r} reads {read!r} to audience {audience}")
    return values.check_bytes(game, step.after)


def _imagined_states_play_on(game: AnyGame, step: Step, count: int, seed: int, picker: Picker) -> None:
    for audience in seats.audiences(count):
        state = leaks.imagined(game, step.after, audience, SeededDraw(seed_bytes(seed), step.seq))
        for later in play_on(game, state, count, seed, picker, seq=step.seq):
            values.check_bytes(game, later.after)


class _Position:
    """The state after a step, and what the costly checks need."""

    def __init__(self, game: AnyGame, step: Step, count: int, staying: list[int], seed: int, steps: list[Step]) -> None:
        self.game = game
        self.state: Any = step.after
        self.seq = step.seq + 1
        self.count = count
        self.staying = staying
        self.seed = seed_bytes(seed)
        self.played = [other.move for other in steps if other.move]
        self.able = sorted(game.may_act(self.state))
        self.legal = {
            seat: moves.complete_moves(game, self.state, seat, 10 * MOST_APPLIED).texts for seat in range(count)
        }

    def _draw(self) -> SeededDraw:
        return SeededDraw(self.seed, self.seq)

    def _wrong(self, seat: int, rng: random.Random) -> list[str]:
        others = [text for other in range(self.count) if other != seat for text in self.legal[other]]
        return moves.wrong_moves(self.legal[seat], [*others, *self.played], rng, WRONG_MOVES)

    def check_moves(self, rng: random.Random) -> None:
        game, state = self.game, self.state
        data = values.check_bytes(game, state)
        for seat in self.able:
            legal = self.legal[seat]
            sample = legal if len(legal) <= MOST_APPLIED else rng.sample(legal, MOST_APPLIED)
            moves.check_accepted(game, state, seat, sample, self._draw())
            moves.check_refused(game, state, seat, self._wrong(seat, rng), self._draw())
            for move in sample[:5]:
                _check_undisturbed(game, state, seat, move, self._draw(), self.count)
        for audience in seats.audiences(self.count):
            seats.check_text(game, state, audience)
        values.check_unchanged(game, state, data, "apply, choices, view or text")

    def check_leaks(self, rng: random.Random) -> None:
        game, state = self.game, self.state
        data = game.dump(state)
        all_audiences = seats.audiences(self.count)
        imagined = {audience: leaks.imagined(game, state, audience, self._draw()) for audience in all_audiences}
        for audience, other in imagined.items():
            values.check_bytes(game, other)
            wrong = self._wrong(audience, rng) if audience in self.able else []
            leaks.check_state(game, state, other, audience, wrong[::3], self._draw())
        leaks.check_everything(game, state, imagined[EVERYBODY], self.count)
        if game.info.has_secrets and game.outcome(state) is None:
            audience = rng.choice(all_audiences[:-1])
            for mover in self.able:
                other, known = imagined[audience], imagined[mover]
                looks.check_moves(game, state, other, mover, audience, self.seed, self.seq, rng, known)
            leaks.check_others(game, state, imagined[audience], self.staying, audience, self.seed, self.seq)
        values.check_unchanged(game, state, data, "view, imagine, apply or leave")


def _check_undisturbed(game: AnyGame, state: Any, seat: int, move: str, draw: SeededDraw, count: int) -> None:
    """Whose decision stays as it was has the same choices as before."""
    after, _ = game.apply(state, seat, move, draw)
    for other in game.undisturbed(state, after):
        require(other in range(count), "undisturbed", f"seat {other} of {count}")
        acted, acts = other in game.may_act(state), other in game.may_act(after)
        same = acted == acts and list(game.choices(state, other)) == list(game.choices(after, other))
        require(same, "undisturbed", f"{move!r} of seat {seat} changed the choices of seat {other}")
