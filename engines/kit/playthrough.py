"""Golden playthroughs: random matches as text that people read and tests compare, so that no rule changes unnoticed.

`python -m engines.kit.playthrough <module:GAME>` compares a game's playthroughs in `tests/golden/<game>/playthroughs`
with what the rules do now, and exits with 1 when one is missing or differs. `--write` writes the missing ones. After a
change on purpose `--renew` plays those that differ again, each with its own options and seed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Final

from engines.kit.conformance.match import option_sets
from engines.kit.conformance.processes import load_game
from engines.kit.playthrough_text import Plan, plan_of, render
from engines.kit.state import AnyGame

_MOST_DIFFERENCES: Final = 60


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


def renew(game: AnyGame, folder: Path | None = None) -> list[Path]:
    """Writes those that differ anew, each with its own plan, and returns them. Raises ValueError when one has none."""
    written = []
    for file in sorted((folder or folder_of(game)).glob("*.txt")):
        kept = file.read_text(encoding="utf-8")
        now = render(game, plan_of(kept, game))
        if now != kept:
            file.write_text(now, encoding="utf-8")
            written.append(file)
    return written


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m engines.kit.playthrough", description="Golden playthroughs")
    parser.add_argument("game", metavar="module:GAME", help="as in engines.coerceo:GAME")
    parser.add_argument("--write", action="store_true", help="write those that are missing")
    parser.add_argument("--renew", action="store_true", help="write those that differ anew, with their own seeds")
    parser.add_argument("--folder", type=Path, help="where they are; tests/golden/<game>/playthroughs unless given")
    given = parser.parse_args(arguments)
    game = load_game(given.game)
    try:
        written = [
            *(write_missing(game, given.folder) if given.write else ()),
            *(renew(game, given.folder) if given.renew else ()),
        ]
        for file in written:
            print(f"wrote {file}")
        check_all(game, given.game, given.folder)
    except (AssertionError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
