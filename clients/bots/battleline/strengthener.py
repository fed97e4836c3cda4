"""The heuristic that always strengthens its best formation, whatever the opponent does: a yardstick for other bots.

It claims what is proven, plays the troop that makes the best formation at any flag, draws troops while there are any,
and never plays a tactics card.
"""

from __future__ import annotations

from hamle_client import View

from clients.bots.battleline.table import VALUES, Cards, read
from clients.bots.battleline.turn import troop_plays
from clients.bots.runner import Bot, Choices


def strengthener() -> Bot:
    """The bot."""

    async def bot(view: View, choices: Choices) -> str:
        firsts = [choice.text for choice in await choices("")]
        for wanted in ("claim:", "draw:troop", "draw:", "done", "trim:"):
            fitting = [text for text in firsts if text.startswith(wanted)]
            if fitting:
                return fitting[0]
        table = read(view)
        plays = await troop_plays(choices, firsts)
        if plays:
            return max(
                plays,
                key=lambda play: (
                    _formed(table.fronts[play.flag].mine, play.card, table.fronts[play.flag].size),
                    -play.flag,
                ),
            ).text
        return "pass"

    return bot


def _formed(side: Cards, card: int, size: int) -> tuple[int, int, int]:
    """What the side is with the card: a rank once there are two cards, how many they are, and their sum."""
    troops = [*(other for other in side if other < 60), card]
    values = [troop % VALUES + 1 for troop in troops]
    one_colour = len({troop // VALUES for troop in troops}) == 1
    near = len(set(values)) == len(values) and max(values) - min(values) < size
    if len(troops) == 1:
        rank = 0
    elif one_colour and near:
        rank = 5
    elif len(set(values)) == 1:
        rank = 4
    else:
        rank = 3 if one_colour else 2 if near else 1
    return rank, len(troops), sum(values)
