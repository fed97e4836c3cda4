"""`hamle bench moves|watch|replay|append`: the figures of the README, measured anew."""

from __future__ import annotations

from enum import StrEnum
from inspect import signature
from typing import Annotated

import typer

from cli.figures import fitting, passed_on, report, runner_in
from cli.options import Json, NoServer, refuse_server
from cli.output import progress
from core.telemetry.logs import configure

PASS_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


class Path(StrEnum):
    """What is measured."""

    MOVES = "moves"
    WATCH = "watch"
    REPLAY = "replay"
    APPEND = "append"


def bench(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="What to measure.")],
    server: NoServer = None,
    json: Json = False,
) -> None:
    """Measure, on servers of its own. Further options, --NAME VALUE, go to the measurement."""
    refuse_server("bench", server)
    run = runner_in(f"bench.{path.value}")
    options = fitting(run, passed_on(context.args))
    configure("warning")
    runs = options.get("runs", signature(run).parameters["runs"].default)
    with progress("runs", runs, shown=not json) as advance:
        figures = run(advance=advance, **options)
    report(figures, json=json)
