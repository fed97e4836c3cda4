"""`hamle verify FILE`: proves a match from its log alone."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cli import logfile
from cli.errors import Stop
from cli.options import Json
from cli.output import complain, emit, progress, say
from engines.kit.verify import Failure, Report, verify_log
from engines.registry import games_by_rules

FAILED = 1


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="As `hamle export` writes it.")],
    json: Json = False,
) -> None:
    """Check a finished match offline: rules, hash chain, shuffle proof. Exit code 1: the first event that differs."""
    log = logfile.read(file)
    if log.redacted:
        raise Stop(f"{file} was exported while the match was live, so it is redacted; export it again once it is over.")
    with progress("verifying", len(log.records)) as advance:
        report = verify_log(logfile.counted(log.records, advance), games_by_rules(), log.materials)
    if json:
        emit(_data(report))
    elif report.failure is None:
        for check in report.checks:
            say(f"ok  {check}")
        say(f"{log.header.match_id}: all {report.events} events hold")
    else:
        complain(failure_text(report.failure))
    if not report.ok:
        raise typer.Exit(FAILED)


def failure_text(failure: Failure) -> str:
    """The first event that differs, for people."""
    lines = [f"event {failure.seq}: {failure.what}"]
    if failure.expected or failure.found:
        lines += [f"  expected {failure.expected or '(nothing)'}", f"  found    {failure.found or '(nothing)'}"]
    for field in failure.fields:
        lines.append(f"  {field.path}: recorded {field.recorded}, these rules give {field.computed}")
    return "\n".join(lines)


def _data(report: Report) -> dict[str, Any]:
    data: dict[str, Any] = {"ok": report.ok, "events": report.events, "checks": report.checks, "failure": None}
    if report.failure is not None:
        failure = report.failure._asdict()
        data["failure"] = failure | {"fields": [field._asdict() for field in report.failure.fields]}
    return data
