"""`python -m tests.logs.record` writes the logs that are missing; a log that was written once is never changed.

Each log is a whole match as `hamle export` writes it. When the same match is written in other bytes than before (an
event has a new field, say), the old log stays and the new one becomes `<name>.2.jsonl`, `<name>.3.jsonl` and so on: so
every version of every event that was ever written is kept, and must fold to the same hashes for ever.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from hamle_client import Record as Exported

from core.log.export import ExportHeader
from engines.kit.history import History
from engines.kit.materials import materials_of
from engines.kit.state import canonical
from tests.logs import battleline_matches, cellar_matches, coerceo_matches, own_deck_matches
from tests.logs.check import Drift, check, games, stored, with_materials, write
from tests.logs.stage import Stage, match_id

FOLDER: Final = Path(__file__).parent
COMMAND: Final = "python -m tests.logs.record"


class Match(NamedTuple):
    """A match whose log is kept."""

    game: str
    name: str
    play: Callable[[], Stage]

    def __str__(self) -> str:
        return f"{self.game}/{self.name}"


MATCHES: Final = [
    *(Match("coerceo", *item) for item in coerceo_matches.MATCHES.items()),
    *(Match("battleline", *item) for item in battleline_matches.MATCHES.items()),
    *(Match("itchyfeet", *item) for item in own_deck_matches.MATCHES.items()),
    *(Match("cellar", *item) for item in cellar_matches.MATCHES.items()),
]


def versions(match: Match, folder: Path = FOLDER) -> list[Path]:
    """The logs of a match, the oldest first."""
    stored = (folder / match.game).glob(f"{match.name}.*jsonl")
    return sorted(stored, key=_number)


def _number(path: Path) -> int:
    _, *number, _ = path.name.split(".")
    return int(number[0]) if number else 1


def records_now(match: Match) -> list[Exported]:
    """The log that the match leads to today."""
    played = match.play()
    history = History({played.game.info.rules: played.game})
    records = [
        Exported(record.seq, record.event, record.hash, canonical(played.game, history.add(record)[2].state))
        for record in played.records
    ]
    return with_materials(records, materials_of(played.game.info, dict(history.state.life.options)))


def header_of(match: Match) -> ExportHeader:
    """The first line of the match's log."""
    info = match.play().game.info
    return ExportHeader(match_id(info.game, match.name), info.game, info.rules)


def write_missing(folder: Path = FOLDER, matches: Sequence[Match] = MATCHES) -> list[Path]:
    """Writes the logs that are missing and gives them. Raises `Drift` when an older one no longer folds."""
    written = []
    for match in matches:
        before = versions(match, folder)
        for path in before:
            check(path, games())
        now = records_now(match)
        if before and stored(before[-1]) == now:
            continue
        number = f".{_number(before[-1]) + 1}" if before else ""
        path = folder / match.game / f"{match.name}{number}.jsonl"
        write(path, header_of(match), now)
        written.append(path)
    return written


def main() -> int:
    """The command; returns its exit code."""
    try:
        for path in write_missing():
            print(f"wrote {path}")
    except Drift as drift:
        print(drift, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
