"""`hamle faults`: processes are killed, stopped and cut off under steady play."""

from __future__ import annotations

from typing import Final

import typer

from cli.figures import fitting, passed_on, report, runner_in
from cli.options import Json, NoServer, refuse_server

FAILED: Final = 1
_MUST_BE_NONE: Final = ("lost", "doubled", "reordered", "failures", "far_over_limit")


def faults(context: typer.Context, server: NoServer = None, json: Json = False) -> None:
    """Play under faults, on servers of its own; count what was lost, doubled, out of order or failed otherwise.

    Exit code 1: something was, or play stood still for more than three times as long as is promised.
    """
    refuse_server("faults", server)
    run = runner_in("tests.faults.run", "bench.faults")
    figures = run(**fitting(run, passed_on(context.args)))
    report(figures, json=json)
    if any(figures.get(name) for name in _MUST_BE_NONE):
        raise typer.Exit(FAILED)
