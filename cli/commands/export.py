"""`hamle export MATCH`: the log as a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TextIO

import typer

from cli import logfile
from cli.connection import run, signed_in
from cli.errors import Stop
from cli.options import As, Json, Keep, MatchId, Server
from cli.output import complain, emit, on_terminal, progress
from core.log.export import ExportHeader


def export(
    match: MatchId,
    server: Server = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Else to stdout.")] = None,
    as_: As = "",
    keep: Keep = True,
    json: Json = False,
) -> None:
    """Write a match's log as JSON lines with the raw bytes, which `hamle verify` checks. Of a live match: redacted."""
    if json and output is None:
        raise typer.BadParameter("goes with --output: the log itself is on stdout otherwise", param_hint="--json")
    run(_export(match, server, output, as_, keep, json))


async def _export(match_id: str, server: str | None, output: Path | None, name: str, keep: bool, json: bool) -> None:
    async with signed_in(server, name=name, keep=keep) as (client, _):
        match = client.match(match_id)
        info = await match.refresh()
        header = ExportHeader(match_id, info.game, info.rules)
        if output is None:
            # On a terminal the bar would stand between the lines of the log.
            with progress("events", info.head.seq, shown=not on_terminal(sys.stdout)) as advance:
                await logfile.write(sys.stdout, header, match.replay.export(), advance)
            return
        with (
            _whole(output) as stream,
            progress("events", info.head.seq, shown=not json) as advance,
        ):
            count = await logfile.write(stream, header, match.replay.export(), advance)
    if json:
        emit({"match_id": match_id, "events": count, "file": str(output)})
    else:
        complain(f"{count} events are in {output}")


@contextmanager
def _whole(output: Path) -> Iterator[TextIO]:
    """Writes the file whole or not at all; straight into a link or what is no file, /dev/stdout say. Raises Stop."""
    straight = output.is_symlink() or (output.exists() and not output.is_file())
    part = output if straight else output.with_name(f"{output.name}.part")
    try:
        with part.open("w", encoding="utf-8") as stream:
            yield stream
        if not straight:
            part.replace(output)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}.") from error
    finally:
        if not straight and part.exists():
            part.unlink()
