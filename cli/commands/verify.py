"""`hamle verify FILE`: proves a match from its log alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cli import logfile
from cli.errors import Stop
from cli.options import Json
from cli.output import complain, emit, progress, say
from engines.kit.verify import Failure, Report, verify_log
from engines.registry import games_by_rules

FAILED = 1
_SHOWN: Final = 64
_BEFORE: Final = 8


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="As `hamle export` writes it.")],
    json: Json = False,
) -> None:
    """Check a finished match offline: rules, hash chain, shuffle proof. Exit code 1: the first event that differs.

    A file that is no export at all is refused with exit code 2.
    """
    log = logfile.read_as_found(file)
    if log.redacted:
        raise Stop(f"{file} was exported while the match was live, so it is redacted; export it again once it is over.")
    with progress("verifying", len(log.records)) as advance:
        records = logfile.counted(log.records, advance)
        report = verify_log(records, games_by_rules(), log.materials, log.header, log.damage)
    if json:
        emit(_data(log.header.match_id, report))
    elif report.failure is None:
        for check in report.checks:
            say(f"ok  {check}")
        say(f"all {report.events} events hold")
        say(unproven_text(log.header.match_id, report))
    else:
        complain(failure_text(report.failure))
    if not report.ok:
        raise typer.Exit(FAILED)


def unproven_text(match_id: str, report: Report) -> str:
    """That the match id is only what the file says, and what to compare instead; for people."""
    return (
        f"not proven: that this is match {match_id}, for no event names its match. Compare with what the server shows\n"
        f"for it, or with a cursor of your own:\n"
        f"  commitment {report.commitment.hex()}\n"
        f"  event {report.events}, hash {report.hash.hex()}"
    )


def failure_text(failure: Failure) -> str:
    """The first event that differs, for people."""
    lines = [f"event {failure.seq}: {failure.what}"]
    expected, found = failure.expected, failure.found
    if expected and found:
        expected, found = _clipped(expected, found)
    # Where one is empty, the first line tells it.
    lines += [f"  {name} {text}" for name, text in (("expected", expected), ("found   ", found)) if text]
    for field in failure.fields:
        recorded, computed = _clipped(field.recorded, field.computed)
        lines.append(f"  {field.path}: recorded {recorded}, these rules give {computed}")
    return "\n".join(lines)


def _clipped(expected: str, found: str) -> list[str]:
    """Both, as far as a line holds them: where they are too long, from a little before they begin to differ."""
    if max(len(expected), len(found)) <= _SHOWN:
        return [expected, found]
    differ = (place for place, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1])
    start = max(0, next(differ, min(len(expected), len(found))) - _BEFORE)
    return [
        f"{'…' if start else ''}{text[start : start + _SHOWN]}{'…' if len(text) > start + _SHOWN else ''}"
        for text in (expected, found)
    ]


def _data(match_id: str, report: Report) -> dict[str, Any]:
    data: dict[str, Any] = {
        "ok": report.ok,
        "events": report.events,
        "checks": report.checks,
        "failure": None,
        "match_id": match_id,
        "match_id_proven": False,
        "commitment": report.commitment.hex(),
        "hash": report.hash.hex(),
    }
    if report.failure is not None:
        failure = report.failure._asdict()
        data["failure"] = failure | {"fields": [field._asdict() for field in report.failure.fields]}
    return data
