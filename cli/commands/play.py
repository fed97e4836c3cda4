"""`hamle play GAME`: against another terminal, an invited friend, or a bot."""

from __future__ import annotations

import asyncio
import random
import shlex
from contextlib import AsyncExitStack
from typing import Annotated

import typer
from hamle.match.v1 import match_pb2
from hamle_client import Client, Match

from cli.asking import asker_for
from cli.bots import bot_named, bots_at
from cli.choices import ChoiceTree
from cli.connection import run, signed_in
from cli.errors import Stop
from cli.options import MOST_U32, As, Game, Json, Keep, Language, Options, Seats, Server, options_of
from cli.output import complain, emit, say
from cli.render import outcome_data
from cli.screen import Screen
from cli.seating import Wish, sit_down
from cli.table import Table
from cli.words import word
from clients.bots.named import bots_by_game
from core.bounds import INCREMENT_MS, INITIAL_MS


def play(
    game: Game,
    server: Server = None,
    option: Options = None,
    bot: Annotated[str, typer.Option("--bot", metavar="NAME", help=f"Play against a bot: {bots_by_game()}.")] = "",
    match: Annotated[str, typer.Option("--match", metavar="ID", help="Take up, or sit down at, this match.")] = "",
    invite: Annotated[str, typer.Option("--invite", metavar="CODE", help="Sit down at a private match.")] = "",
    private: Annotated[bool, typer.Option("--private", help="Make a match that only the invited find.")] = False,
    seats: Seats = 0,
    seat: Annotated[int | None, typer.Option("--seat", min=0, max=MOST_U32, help="Which seat to take.")] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0, max=INITIAL_MS[1] / 60_000, help="On each clock; 0: no clock.")
    ] = 0,
    increment: Annotated[
        float, typer.Option("--increment", min=0, max=INCREMENT_MS[1] / 1_000, help="Seconds added after each move.")
    ] = 0,
    as_: As = "",
    keep: Keep = True,
    language: Language = "en",
    json: Json = False,
) -> None:
    """Play a match. Without options, against whoever asks for the same game next."""
    if increment and not minutes:
        raise typer.BadParameter("goes with --minutes: without a clock nothing is added to", param_hint="--increment")
    new = {"--option": option, "--private": private, "--seats": seats, "--minutes": minutes}
    if (match or invite) and (named := [name for name, value in new.items() if value]):
        raise typer.BadParameter(
            f"is for a new match, and --{'match' if match else 'invite'} leads to one that is there: leave it out",
            param_hint=", ".join(named),
        )
    if bot:
        bot_named(bot, random.Random(), game)
    terms = [*_each("--option", option), *_named("--minutes", minutes), *_named("--increment", increment)]
    wish = Wish(
        game,
        options_of(option),
        match_id=match,
        invite=invite,
        private=private,
        against_bots=bool(bot) and not (match or invite),
        seats=seats,
        seat=seat,
        clock=(round(minutes * 60_000), round(increment * 1_000)) if minutes else None,
        language=language,
        same=_typed("play", game, *terms, server=server),
    )
    run(_play(wish, bot, server, as_, keep, json))


async def _play(wish: Wish, bot: str, server: str | None, name: str, keep: bool, json: bool) -> None:
    tell = complain if json else say
    async with signed_in(server, name=name, keep=keep, exclusive=True, match_id=wish.match_id) as (client, identity):
        match = await sit_down(client, wish, tell)
        identity.remember(match.id)
        async with AsyncExitStack() as stack:
            bots: list[asyncio.Task[object]] = []
            if bot:
                count = len(match.info.seats) - 1 if match.info is not None else 1
                bots = await stack.enter_async_context(bots_at(match, bot, count, server=server, keep=keep))
            seated = ["--match", match.id, *_named("--bot", bot), *_named("--as", name)]
            again = _typed("play", match.game, *seated, server=server)
            table = await _table(client, match, wish, json, again)
            is_over = await _until_over(table, bots)
        if json:
            outcome = outcome_data(await match.outcome()) if is_over else None
            emit({"match_id": match.id, "seat": match.seat, "over": is_over, "moves": table.moves, "outcome": outcome})
        elif is_over:
            say(word("again", wish.language, match=match.id, command=_typed("replay", match.id, server=server)))
        else:
            say(word("left", wish.language, command=again))


def _typed(*words: str, server: str | None) -> str:
    """A command to type next, for the same server."""
    return shlex.join(["hamle", *words, *_named("--server", server)])


def _named(option: str, value: str | float | None) -> list[str]:
    return [option, str(value)] if value else []


def _each(option: str, values: list[str] | None) -> list[str]:
    return [typed for value in values or () for typed in (option, value)]


async def _table(client: Client, match: Match, wish: Wish, json: bool, again: str) -> Table:
    infos = {info.game: info for info in await client.games()}
    tree = ChoiceTree(match.choices)
    asker = asker_for(tree, word("hint", wish.language))
    info = infos.get(match.game, match_pb2.GameInfo(game=match.game))
    screen = Screen(info, wish.language, redraws=asker.redraws and not json, mute=json)
    screen.seat = match.seat
    return Table(match, screen, tree, asker, again)


async def _until_over(table: Table, bots: list[asyncio.Task[object]]) -> bool:
    playing = asyncio.create_task(table.play())
    try:
        waiting = {playing, *bots}
        while not playing.done():
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            for task in done - {playing}:
                if error := task.exception():
                    raise Stop(f"A bot has failed: {error}") from error
        return playing.result()
    finally:
        playing.cancel()
        await asyncio.wait({playing})
