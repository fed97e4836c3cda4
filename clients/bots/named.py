"""Bots by name, and which game each of them plays."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from clients.bots.battleline import captain, strengthener
from clients.bots.itchyfeet import drawer, robber, trader, traveller
from clients.bots.random_bot import random_bot
from clients.bots.runner import Bot
from clients.bots.tashkalar import summoner


class Named(NamedTuple):
    """A bot: how it is made with a source of chance, and the one game that it plays; empty: any."""

    make: Callable[[random.Random], Bot]
    game: str = ""


BOTS: Final[Mapping[str, Named]] = {
    "random": Named(random_bot),
    "captain": Named(lambda chance: captain(), "battleline"),
    "strengthener": Named(lambda chance: strengthener(), "battleline"),
    "traveller": Named(lambda chance: traveller(), "itchyfeet"),
    "drawer": Named(lambda chance: drawer(), "itchyfeet"),
    "robber": Named(lambda chance: robber(), "itchyfeet"),
    "trader": Named(lambda chance: trader(), "itchyfeet"),
    "summoner": Named(lambda chance: summoner(), "tashkalar"),
}


def bots_for(game: str = "") -> list[str]:
    """The names of the bots that play the game; of all bots where none is named."""
    return [name for name, bot in BOTS.items() if not game or bot.game in ("", game)]


def bots_by_game() -> str:
    """All bots and what they play, for people: `random (any game); captain, strengthener (battleline), ...`."""
    games = dict.fromkeys(bot.game for bot in BOTS.values())
    return "; ".join(
        f"{', '.join(name for name, bot in BOTS.items() if bot.game == game)} ({game or 'any game'})" for game in games
    )
