"""`hamle tail-lost MATCH`: an operator lets a match go on after its store has forgotten events."""

from __future__ import annotations

from typing import Annotated

import typer
from hamle.engine.v1.engine_pb2 import AcceptTailLossRequest

from cli import operator
from cli.connection import run
from cli.options import MOST_U64, Json, MatchId
from cli.output import emit, say
from core.log.first import game_of

_TIMEOUT_S = 10.0


def tail_lost(
    match: MatchId,
    last: Annotated[
        int,
        typer.Option(
            "--last",
            min=0,
            max=MOST_U64,
            metavar="SEQ",
            help="The last event that anybody remembers; 0: what the engines remember.",
            show_default=False,
        ),
    ] = 0,
    json: Json = False,
) -> None:
    """Accept that the store forgot acknowledged events of a match. For operators: needs the store's settings."""
    seq = run(_accept(match, last))
    if json:
        emit({"match_id": match, "seq": seq})
    else:
        say(f"event {seq} of {match} says so; play goes on from there, and players watch it from the beginning")


async def _accept(match: str, last: int) -> int:
    async with operator.store() as (client, settings):
        game = await game_of(client, match)
        async with operator.engine_for(client, settings, game) as (engine, metadata):
            request = AcceptTailLossRequest(match_id=match, last_known_seq=last)
            answer = await engine.AcceptTailLoss(request, timeout=_TIMEOUT_S, metadata=metadata)
            return int(answer.cursor.seq)
