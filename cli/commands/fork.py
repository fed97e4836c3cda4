"""`hamle fork MATCH --at SEQ`: a new match from the past of another."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.connection import run, signed_in
from cli.options import MOST_U32, MOST_U64, As, Json, Keep, MatchId, Server
from cli.output import emit, say


def fork(
    match: MatchId,
    at: Annotated[int, typer.Option("--at", min=1, max=MOST_U64, metavar="SEQ", help="The last event to copy.")],
    server: Server = None,
    seat: Annotated[
        int | None, typer.Option("--seat", min=0, max=MOST_U32, help="Your seat in the fork; else the first.")
    ] = None,
    as_: As = "",
    keep: Keep = True,
    json: Json = False,
) -> None:
    """Start a new private match from a copy of another's events. You take a seat; others join by the invite code."""
    run(_fork(match, at, server, seat, as_, keep, json))


async def _fork(match: str, at: int, server: str | None, seat: int | None, name: str, keep: bool, json: bool) -> None:
    async with signed_in(server, name=name, keep=keep, exclusive=True, match_id=match) as (client, identity):
        made = await client.fork(match, at, seat=seat)
        identity.remember(made.id)
    if json:
        emit({"match_id": made.id, "game": made.game, "seat": made.seat, "invite_code": made.invite_code})
    else:
        say(f"{made.id} begins with events 1 to {at} of {match}")
        say(f"  you:    hamle play {made.game} --match {made.id}")
        say(f"  others: hamle play {made.game} --invite {made.invite_code}")
