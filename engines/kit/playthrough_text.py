"""A playthrough as text: a random match that people read, with what it takes to play it again."""

from __future__ import annotations

import hashlib
import re
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from engines.kit.conformance.match import Step, play_match
from engines.kit.game import EVERYBODY, PUBLIC, Fact
from engines.kit.options import full_options
from engines.kit.state import AnyGame

SEED: Final = 1
VIEW_EVERY: Final = 50
"""Steps between two views."""
_RULER: Final = 80
_WIDEST: Final = 100
_NAMES: Final = {PUBLIC: "the public", EVERYBODY: "everybody after the end"}


class Plan(NamedTuple):
    """What is played: all options, number of seats, seed of chance and of the moves picked."""

    options: Mapping[str, str]
    seats: int
    seed: int = SEED


def render(game: AnyGame, plan: Plan) -> str:
    """The playthrough as text: moves, facts, the digest of each state, and views now and then."""
    return "\n".join(line.rstrip() for line in _lines(game, plan)) + "\n"


def plan_of(text: str, game: AnyGame) -> Plan:
    """The plan that a playthrough's head names. Raises ValueError when it names none."""
    found = re.match(r"rules: (\S+)\noptions:(.*)\nseats: (\d+)\nseed: (\d+)\n", text)
    if found is None or found[1] != game.info.rules:
        raise ValueError(f"the file does not begin with rules: {game.info.rules}, options, seats and seed")
    named = dict(option.split("=", 1) for option in found[2].split())
    return Plan(full_options(game.info, named), int(found[3]), int(found[4]))


def _lines(game: AnyGame, plan: Plan) -> Iterator[str]:
    yield f"rules: {game.info.rules}"
    yield "options:" + "".join(f" {name}={value}" for name, value in plan.options.items())
    yield f"seats: {plan.seats}"
    yield f"seed: {plan.seed}"
    last: Step | None = None
    for step in play_match(game, plan.options, plan.seats, plan.seed):
        last = step
        if step.kind != "setup":
            yield from _step(game, step, plan.seats)
        if step.seq % VIEW_EVERY == 1:
            yield from _views(game, step, plan.seats)
    if last is None:
        return
    if last.seq % VIEW_EVERY != 1:
        yield from _views(game, last, plan.seats)
    yield from _outcome(game, last.after)


def _step(game: AnyGame, step: Step, seats: int) -> Iterator[str]:
    who = "" if step.seat is None else f"seat {step.seat}"
    what = step.move if step.kind == "move" else step.kind
    yield f"{step.seq:>4}  {who:<6}  {what:<40}  {_digest(game, step.after)}"
    if step.seat is not None and step.kind == "move":
        for reading, audiences in _readings(game, step, step.seat, seats).items():
            yield f"{'':14}reads {reading} to {', '.join(audiences)}"
    for fact in step.facts:
        yield f"{'':14}{_fact(fact)}"


def _readings(game: AnyGame, step: Step, mover: int, seats: int) -> dict[str, list[str]]:
    """Other forms of the move, and who reads them so."""
    found: dict[str, list[str]] = {}
    for audience in (*range(seats), PUBLIC):
        text = game.redact(step.before, mover, step.move, audience)
        if text != step.move:
            found.setdefault(text, []).append(_name(audience))
    return found


def _fact(fact: Fact) -> str:
    told = " ".join([fact.kind, *(f"{name}={value}" for name, value in fact.parameters)])
    return told if fact.audiences is None else f"{told}  [{', '.join(_name(a) for a in sorted(fact.audiences))}]"


def _views(game: AnyGame, step: Step, seats: int) -> Iterator[str]:
    """What everybody sees, and what each may choose."""
    state = step.after
    audiences = (*range(seats), PUBLIC, EVERYBODY) if game.info.has_secrets else (PUBLIC,)
    yield from ("", f"--- after {step.seq} {_digest(game, state)} ".ljust(_RULER, "-"))
    for audience in audiences:
        if len(audiences) > 1:
            yield f"[{_name(audience)}]"
        yield game.text(game.view(state, audience), audience, "en")
    for seat in sorted(game.may_act(state)):
        found = game.choices(state, seat)
        texts = " ".join(choice.text if choice.complete else f"{choice.text}.." for choice in found)
        must = "must" if seat in game.awaited(state) else "may"
        line = f"seat {seat} {must} choose of {len(found)}: {texts}"
        yield from textwrap.wrap(line, _WIDEST, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    yield "-" * _RULER


def _outcome(game: AnyGame, state: Any) -> Iterator[str]:
    outcome = game.outcome(state)
    if outcome is None:
        return
    yield from ("", f"outcome: {outcome.reason}")
    for placement in outcome.placements:
        score = "" if placement.score is None else f"  score {placement.score}"
        team = "" if placement.team is None else f"  team {placement.team}"
        yield f"  seat {placement.seat}  place {placement.place}{score}{team}"


def _name(audience: int) -> str:
    return _NAMES.get(audience, f"seat {audience}")


def _digest(game: AnyGame, state: Any) -> str:
    return hashlib.blake2b(game.dump(state), digest_size=6).hexdigest()
