"""`hamle matches [GAME]`: which matches there are."""

from __future__ import annotations

from contextlib import aclosing
from typing import Annotated, Any

import typer
from hamle.match.v1 import match_pb2

from cli.connection import run, signed_in
from cli.options import As, Json, Keep, Server
from cli.output import emit, say, tabulate


def matches(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Only of this game; else of all.")] = "",
    mine: Annotated[
        bool, typer.Option("--mine", help="Those at which you sit: private and finished ones too.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="How many at most.")] = 20,
    server: Server = None,
    as_: As = "",
    keep: Keep = True,
    json: Json = False,
) -> None:
    """List public matches that wait or are being played, newest first; or your own."""
    found = run(_ask(game, mine, limit, server, as_, keep))
    if json:
        emit({"matches": [_data(info) for info in found]})
    elif found:
        tabulate(["match", "game", "status", "seats", "events"], [_row(info) for info in found])
        say("To look on: hamle watch MATCH")
        say("To sit down, or to come back: hamle play GAME --match MATCH")
    else:
        say(_none(game, mine))


async def _ask(game: str, mine: bool, limit: int, server: str | None, name: str, keep: bool) -> list[match_pb2.Match]:
    found: list[match_pb2.Match] = []
    async with (
        signed_in(server, name=name, keep=keep) as (client, _),
        aclosing(client.matches(game, mine=mine)) as told,
    ):
        async for match in told:
            if match.info is not None:
                found.append(match.info)
            if len(found) == limit:
                break
    return found


def _none(game: str, mine: bool) -> str:
    kind = f"match of {game}" if game else "match"
    if mine:
        return f"You sit at no {kind}; --as NAME looks for another of this machine's players."
    return f"No public {kind} waits or is being played; --mine lists your own, private and finished ones too."


def _row(info: match_pb2.Match) -> list[str]:
    return [info.match_id, info.game, _status(info), "\n".join(map(_seat, info.seats)), str(info.head.seq)]


def _seat(seat: match_pb2.Seat) -> str:
    who = (seat.name or "unknown") if seat.handle else "free"
    return f"{seat.number}: {who}{' (you)' if seat.yours else ''}"


def _status(info: match_pb2.Match) -> str:
    """`waiting`, ...; empty where the match's engine is away."""
    if info.status == match_pb2.MATCH_STATUS_UNSPECIFIED:
        return ""
    return match_pb2.MatchStatus.Name(info.status).removeprefix("MATCH_STATUS_").lower()


def _data(info: match_pb2.Match) -> dict[str, Any]:
    return {
        "match_id": info.match_id,
        "game": info.game,
        "status": _status(info),
        "options": dict(info.options),
        "seats": [
            {"seat": seat.number, "name": seat.name, "taken": bool(seat.handle), "yours": seat.yours}
            for seat in info.seats
        ],
        "events": info.head.seq,
        "created_at_ms": info.created_at_ms,
    }
