"""Bots at the other seats of a match."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from hamle_client import Match

from cli.connection import signed_in
from cli.errors import Stop
from clients.bots.named import BOTS, bots_for
from clients.bots.runner import Bot, play


def bot_named(name: str, chance: random.Random, game: str = "") -> Bot:
    """The bot. Raises Stop when there is none of that name, or when it does not play the game that is named."""
    bot = BOTS.get(name)
    if bot is None:
        raise Stop(f"There is no bot {name!r}; there are {', '.join(bots_for(game))}.")
    if game and bot.game and bot.game != game:
        raise Stop(f"The bot {name!r} plays {bot.game} only; for {game} there are {', '.join(bots_for(game))}.")
    return bot.make(chance)


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
