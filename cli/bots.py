"""Bots at the other seats of a match."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Final, NamedTuple

from hamle_client import Match

from cli.connection import signed_in
from cli.errors import Stop
from clients.bots.battleline.captain import captain
from clients.bots.battleline.strengthener import strengthener
from clients.bots.itchyfeet import drawer, robber, trader, traveller
from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot, play


class Kind(NamedTuple):
    """A bot: how it is made, and the one game that it plays; empty: any."""

    make: Callable[[random.Random], Bot]
    game: str = ""


BOTS: Final[Mapping[str, Kind]] = {
    "random": Kind(random_bot),
    # What these see tells them all they need.
    "captain": Kind(lambda chance: captain(), "battleline"),
    "strengthener": Kind(lambda chance: strengthener(), "battleline"),
    "traveller": Kind(lambda chance: traveller(), "itchyfeet"),
    "drawer": Kind(lambda chance: drawer(), "itchyfeet"),
    "robber": Kind(lambda chance: robber(), "itchyfeet"),
    "trader": Kind(lambda chance: trader(), "itchyfeet"),
}


def bot_named(name: str, chance: random.Random, game: str = "") -> Bot:
    """The bot. Raises Stop when there is none of that name, or when it does not play the game that is named."""
    kind = BOTS.get(name)
    if kind is None:
        raise Stop(f"There is no bot {name!r}; there are {', '.join(bots_for(game))}.")
    if game and kind.game and kind.game != game:
        raise Stop(f"The bot {name!r} plays {kind.game} only; for {game} there are {', '.join(bots_for(game))}.")
    return kind.make(chance)


def bots_for(game: str = "") -> list[str]:
    """The names of the bots that play the game; of all bots where none is named."""
    return [name for name, kind in BOTS.items() if not game or kind.game in ("", game)]


@asynccontextmanager
async def bots_at(
    match: Match, bot: str, count: int, *, server: str | None, keep: bool
) -> AsyncIterator[list[asyncio.Task[object]]]:
    """Seats `count` bots at the match, each with an identity of its own, and lets them play while the block runs.

    A task ends when its bot's match is over, and fails with what the bot met.
    """
    async with AsyncExitStack() as stack:
        tasks: list[asyncio.Task[object]] = []
        try:
            for number in range(1, count + 1):
                player = bot_named(bot, random.Random(), match.game)
                client, _ = await stack.enter_async_context(signed_in(server, name=f"{bot} bot {number}", keep=keep))
                seated = client.match(match.id)
                await seated.refresh()
                if seated.seat is None:
                    seated = await client.join(match.id, invite_code=match.invite_code)
                tasks.append(asyncio.create_task(play(seated, player), name=f"bot {number}"))
            yield tasks
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
