"""`hamle selfplay GAME`: random bots against each other, through the gateway."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from hamle_client import Client, HamleError
from hamle_client.retry import is_connection_loss

from cli.bots import bot_named
from cli.connection import run
from cli.errors import Stop, explain
from cli.options import Game, Json, Options, Seats, Server, address, options_of
from cli.output import Advance, complain, emit, progress, say
from cli.own_servers import servers
from cli.values import in_full
from clients.bots.runner import play
from engines.registry import load_game

FAILED = 1


def selfplay(
    game: Game,
    matches: Annotated[int, typer.Option("--matches", "-n", min=1, help="How many.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="The bots choose by it.")] = 1,
    server: Server = None,
    option: Options = None,
    bot: Annotated[str, typer.Option("--bot", help="Which bot.")] = "random",
    seats: Seats = 0,
    parallel: Annotated[int, typer.Option("--parallel", min=1, max=64, help="How many matches at a time.")] = 8,
    json: Json = False,
) -> None:
    """Play matches of bots against each other, on servers of its own unless one is named.

    Exit code 1: some failed; 2: the server answered no more, and the others were not played.
    """
    bot_named(bot, random.Random(seed), game)
    if address(server) is None:
        load_game(game)
    series = Series(game, options_of(option), bot, seed, seats)
    begun = time.monotonic()
    with servers(server, games=(game,)) as where, progress("matches", matches) as advance:
        run(series.play(where, matches, min(parallel, matches), advance))
    summary = series.summary() | {"seconds": round(time.monotonic() - begun, 3)}
    if json:
        emit(summary)
    else:
        say(f"{series.finished} matches, {series.moves} moves, {series.errors} errors in {summary['seconds']} s")
        for reason, count in sorted(series.outcomes.items()):
            say(f"  {count:>5}  {reason}")
    if series.is_alone:
        left = matches - series.finished
        raise Stop(f"No server answers any more: {left} of {matches} matches were not played to their end.")
    if series.errors:
        raise typer.Exit(FAILED)


class _Alone(Exception):
    """Nobody answers any more."""


@dataclass
class Series:
    """Matches of bots, and what came of them. `is_alone`: they ended early, for no server answered any more."""

    game: str
    options: dict[str, str]
    bot: str
    seed: int
    seats: int = 0
    finished: int = 0
    moves: int = 0
    errors: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    is_alone: bool = False

    async def play(self, address: str, matches: int, parallel: int, advance: Advance) -> None:
        """Plays them, so many at a time, each place with players of its own."""
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(Client(address))
            info = {info.game: info for info in await first.games()}.get(self.game)
            if info is None:
                raise Stop(f"The server has no game {self.game!r}; `hamle games` lists what there is.")
            self.options = in_full(info, self.options)
            count = self.seats or info.min_seats
            if not info.min_seats <= count <= info.max_seats:
                raise Stop(f"{info.title} has {info.min_seats} to {info.max_seats} seats, not {count}.")
            numbers = iter(range(matches))
            places = [[await stack.enter_async_context(Client(address)) for _ in range(count)] for _ in range(parallel)]
            try:
                async with asyncio.TaskGroup() as group:
                    for players in places:
                        group.create_task(self._series(players, numbers, advance))
            except* _Alone:
                self.is_alone = True

    async def _series(self, players: list[Client], numbers: Iterator[int], advance: Advance) -> None:
        for number in numbers:
            try:
                await self._match(players, number)
            except* HamleError as group:
                failure = _first(group)
                self.errors += 1
                complain(f"match {number}: {explain(failure)}")
                if is_connection_loss(failure):
                    # The next one would wait as long for nobody.
                    raise _Alone from failure
            advance(1)

    async def _match(self, players: list[Client], number: int) -> None:
        made = await players[0].create(self.game, self.options, seats=self.seats, private=True)
        seated = [made, *[await player.join(made.id, invite_code=made.invite_code) for player in players[1:]]]
        # When one seat fails the others stop: the next match is played on the same connections.
        async with asyncio.TaskGroup() as group:
            plays = [
                group.create_task(
                    play(match, bot_named(self.bot, random.Random(f"{self.seed}/{number}/{seat}")), on_move=self._moved)
                )
                for seat, match in enumerate(seated)
            ]
        outcome = plays[0].result()
        self.finished += 1
        self.outcomes[outcome.reason if outcome is not None else "cancelled"] += 1

    def _moved(self, move: str) -> None:
        self.moves += 1

    def summary(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "game": self.game,
            "matches": self.finished,
            "moves": self.moves,
            "errors": self.errors,
            "seed": self.seed,
            "outcomes": dict(self.outcomes),
        }


def _first(group: BaseExceptionGroup[HamleError]) -> HamleError:
    """The first failure of a match; the others follow from it."""
    first = group.exceptions[0]
    return _first(first) if isinstance(first, BaseExceptionGroup) else first
