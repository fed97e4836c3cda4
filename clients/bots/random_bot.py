"""Plays random legal moves, in any game: `python -m clients.bots.random_bot coerceo`."""

from __future__ import annotations

import asyncio
import random
import sys

from hamle_client import Client, View

from clients.bots.runner import Bot, Choices, play


def random_bot(chance: random.Random) -> Bot:
    """A bot that composes its moves part by part; where a move could end or go on, a coin decides."""

    async def bot(view: View, choices: Choices) -> str:
        move = ""
        while following := await choices(move):
            choice = chance.choice(following)
            move = choice.text
            if choice.complete and chance.random() < 0.5:
                break
        return move

    return bot


async def main(game: str) -> None:
    """Waits for an opponent and plays one match."""
    async with Client(name="random bot") as client:
        print(await play(await client.pair(game), random_bot(random.Random())))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
