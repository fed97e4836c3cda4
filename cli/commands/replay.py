"""`hamle replay MATCH|FILE`: any state of the past."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from cli import logfile
from cli.commands.watch import step_data
from cli.connection import run, signed_in
from cli.errors import Stop
from cli.fit import fitted
from cli.keys import KeyReader, read_keys
from cli.options import As, Json, Keep, Language, Server
from cli.output import emit, on_terminal, say
from cli.past import FilePast, Past, ServerPast
from cli.render import board, event_line
from cli.screen import CLEAR

_KEYS = "→ next   ← back   Home first   End last   q quit"


def replay(
    match: Annotated[str, typer.Argument(metavar="MATCH|FILE", help="Id of a match, or an exported file.")],
    server: Server = None,
    at: Annotated[int | None, typer.Option("--at", min=1, metavar="SEQ", help="Only the state there.")] = None,
    as_: As = "",
    keep: Keep = True,
    language: Language = "en",
    json: Json = False,
) -> None:
    """Show a match again: step by step with keys on a terminal, else all events and the last board."""

    async def study() -> None:
        async with signed_in(server, name=as_, keep=keep) as (client, _):
            await _show(await ServerPast.of(client, match), at, language, json)

    if Path(match).is_file():
        run(_show(FilePast(logfile.read(Path(match))), at, language, json))
    elif not match.isalnum():
        raise typer.BadParameter(
            f"there is no file {match}, and no match has such an id; expected an exported file, or an id as"
            " `hamle matches` lists them",
            param_hint="MATCH|FILE",
        )
    else:
        run(study())


async def _show(past: Past, at: int | None, language: str, json: bool) -> None:
    if at is not None and at > past.head:
        raise Stop(f"The match has {past.head} events; --at takes 1 to {past.head}.")
    if json:
        emit({"head": past.head, **step_data(await past.step(at or past.head))})
    elif at is not None:
        say(await picture(past, at, language))
    elif on_terminal(sys.stdin, sys.stdout):
        with read_keys() as keys:
            await walk(past, keys, language)
    else:
        for seq in range(1, past.head):
            say(event_line(await past.step(seq), past.info, seat=past.seat, language=language))
        say(await picture(past, past.head, language))


async def walk(past: Past, keys: KeyReader, language: str) -> None:
    """Steps through the past as keys say, beginning with the first event."""
    seq = 1
    while True:
        shown = fitted(await picture(past, seq, language), shutil.get_terminal_size().columns)
        say(f"{CLEAR}{shown}\n\n{seq} of {past.head}   {_KEYS}")
        command = await keys.next()
        if command == "quit":
            return
        seq = {"next": min(seq + 1, past.head), "back": max(seq - 1, 1), "first": 1, "last": past.head}[command]


async def picture(past: Past, seq: int, language: str) -> str:
    """The board after an event, and the event."""
    step = await past.step(seq)
    line = event_line(step, past.info, seat=past.seat, language=language)
    if step.view is None:
        return line
    drawn = board(past.info.game, step.view.game, seat=past.seat, is_over=step.view.is_over, language=language)
    return f"{drawn}\n\n{line}"
