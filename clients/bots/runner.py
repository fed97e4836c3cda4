"""Runs bots. A bot is a function of what its seat sees and may do; the runner does the rest.

    async def first_bot(view: View, choices: Choices) -> str:
        return (await choices(""))[0].text

`choices(prefix)` lists the legal ways to go on with a move. The function gives a complete move, or an empty text to
resign.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from hamle.event.v1.event_pb2 import Outcome
from hamle.match.v1.match_pb2 import Choice
from hamle_client import Match, MatchFinished, NotYourTurn, StaleView, View

Choices = Callable[[str], Awaitable[Sequence[Choice]]]
Bot = Callable[[View, Choices], Awaitable[str]]


async def play(match: Match, bot: Bot, *, on_move: Callable[[str], None] | None = None) -> Outcome | None:
    """Plays the caller's seat until the match is over, and tells how it ended. `on_move` hears of each accepted move.

    A move that the state has overtaken is dropped: the bot is asked again on the state that overtook it.
    """
    async for view in match.turns():
        try:
            move = await bot(view, match.choices)
            await (match.submit(move) if move else match.resign())
        except (StaleView, NotYourTurn, MatchFinished):
            continue
        if on_move is not None:
            on_move(move)
    return await match.outcome()
