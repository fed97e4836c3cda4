"""`hamle watch MATCH`: follows a match."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from google.protobuf.json_format import MessageToDict
from hamle.match.v1 import match_pb2
from hamle_client import Cursor, Step

from cli.connection import run, signed_in
from cli.options import MOST_U64, As, Json, Keep, Language, MatchId, Server
from cli.output import emit, on_terminal
from cli.screen import Screen


def watch(
    match: MatchId,
    server: Server = None,
    after: Annotated[int, typer.Option("--after", min=0, max=MOST_U64, help="Begin after this event.")] = 0,
    as_: As = "",
    keep: Keep = True,
    language: Language = "en",
    json: Json = False,
) -> None:
    """Follow a match until it is over: each event with what it did, and the board. --json: one object an event.

    You see what you may see: where you sit at the match, your hand too. With --no-keep you are a stranger.
    """
    run(_watch(match, server, after, as_, keep, language, json))


async def _watch(
    match_id: str, server: str | None, after: int, name: str, keep: bool, language: str, json: bool
) -> None:
    async with signed_in(server, name=name, keep=keep) as (client, _):
        match = client.match(match_id)
        info = await match.refresh()
        games = {each.game: each for each in await client.games()}
        game = games.get(info.game, match_pb2.GameInfo(game=info.game))
        screen = Screen(game, language, redraws=on_terminal(sys.stdout) and not json)
        screen.seat = match.seat
        async for step in match.watch(Cursor(after)):
            if not json:
                screen.show(step)
            elif step.event is not None:
                emit(step_data(step))


def step_data(step: Step) -> dict[str, Any]:
    """A step for JSON; messages as protobuf's JSON mapping has them."""
    data: dict[str, Any] = {"seq": step.seq, "hash": step.cursor.hash.hex(), "kind": step.kind}
    if step.event is not None:
        data["event"] = MessageToDict(step.event)
        data["facts"] = [{"kind": fact.kind, **dict(fact.parameters)} for fact in step.facts]
    if step.view is not None:
        data["view"] = MessageToDict(step.view.game)
    return data
