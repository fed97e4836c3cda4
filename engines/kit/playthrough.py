"""Golden playthroughs: random matches as text that people read and tests compare, so that no rule changes unnoticed.

`python -m engines.kit.playthrough <module:GAME>` compares a game's playthroughs in `tests/golden/<game>/playthroughs`
with what the rules do now, and exits with 1 when one is missing or differs; `--write` writes the missing ones. To renew
one whose rules have changed on purpose, delete it and write.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any, Final, NamedTuple

from engines.kit.conformance.match import Step, option_sets, play_match
from engines.kit.conformance.processes import load_game
from engines.kit.game import EVERYBODY, PUBLIC, Fact
from engines.kit.options import full_options
from engines.kit.state import AnyGame

SEED: Final = 1
VIEW_EVERY: Final = 50
"""Steps between two views."""
_RULER: Final = 80
_WIDEST: Final = 100
_MOST_DIFFERENCES: Final = 60
_NAMES: Final = {PUBLIC: "the public", EVERYBODY: "everybody after the end"}


class Plan(NamedTuple):
    """What is played: all options, number of seats, seed of chance and of the moves picked."""

    options: Mapping[str, str]
    seats: int
    seed: int = SEED


def plans(game: AnyGame) -> dict[str, Plan]:
    """The playthroughs a game must have, by file name.

    The defaults with each number of seats, and each other value of an option with the fewest seats.
    """
    info = game.info
    defaults, *others = option_sets(info)
    found = {f"{seats}-seats.txt": Plan(defaults, seats) for seats in range(info.min_seats, info.max_seats + 1)}
    for options in others:
        name, value = next(item for item in options.items() if defaults[item[0]] != item[1])
        found[f"{info.min_seats}-seats-{name}-{value}.txt"] = Plan(options, info.min_seats)
    return found


def folder_of(game: AnyGame) -> Path:
    """Where a game's playthroughs are kept."""
    return Path(__file__).parents[2] / "tests" / "golden" / game.info.game / "playthroughs"


def render(game: AnyGame, plan: Plan) -> str:
    """The playthrough as text: moves, facts, the digest of each state, and views now and then."""
    return "\n".join(line.rstrip() for line in _lines(game, plan)) + "\n"


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


def plan_of(text: str, game: AnyGame) -> Plan:
    """The plan that a playthrough's head names. Raises ValueError when it names none."""
    found = re.match(r"rules: (\S+)\noptions:(.*)\nseats: (\d+)\nseed: (\d+)\n", text)
    if found is None or found[1] != game.info.rules:
        raise ValueError(f"the file does not begin with rules: {game.info.rules}, options, seats and seed")
    named = dict(option.split("=", 1) for option in found[2].split())
    return Plan(full_options(game.info, named), int(found[3]), int(found[4]))


def check(path: Path, game: AnyGame) -> None:
    """The playthrough in the file is what the rules do now. Raises AssertionError with what differs."""
    kept = path.read_text(encoding="utf-8")
    now = render(game, plan_of(kept, game))
    if kept != now:
        lines = list(unified_diff(kept.splitlines(), now.splitlines(), str(path), "what the rules do now", lineterm=""))
        more = len(lines) - _MOST_DIFFERENCES
        cut = [*lines[:_MOST_DIFFERENCES], *([f"... and {more} lines more"] if more > 0 else [])]
        raise AssertionError("the playthrough differs\n" + "\n".join(cut))


def check_all(game: AnyGame, path: str, folder: Path | None = None) -> None:
    """All playthroughs in the folder, and that none is missing. `path` is the game's, `engines.coerceo:GAME`."""
    folder = folder or folder_of(game)
    missing = [name for name in plans(game) if not (folder / name).exists()]
    if missing:
        write = f"python -m engines.kit.playthrough {path} --write"
        raise AssertionError(f"{folder} lacks {', '.join(missing)}; `{write}` writes them")
    for file in sorted(folder.glob("*.txt")):
        check(file, game)


def write_missing(game: AnyGame, folder: Path | None = None) -> list[Path]:
    """Writes the playthroughs that are missing, touches no other, and returns the new files."""
    folder = folder or folder_of(game)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, plan in plans(game).items():
        file = folder / name
        if not file.exists():
            file.write_text(render(game, plan), encoding="utf-8")
            written.append(file)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m engines.kit.playthrough", description="Golden playthroughs")
    parser.add_argument("game", metavar="module:GAME", help="as in engines.coerceo:GAME")
    parser.add_argument("--write", action="store_true", help="write those that are missing")
    parser.add_argument("--folder", type=Path, help="where they are; tests/golden/<game>/playthroughs unless given")
    given = parser.parse_args(arguments)
    game = load_game(given.game)
    if given.write:
        for file in write_missing(game, given.folder):
            print(f"wrote {file}")
    try:
        check_all(game, given.game, given.folder)
    except (AssertionError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
