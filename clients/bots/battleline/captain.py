"""A bot that weighs the chances at all nine flags and does what raises the table's worth most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hamle.battleline.v1 import battleline_pb2 as pb
from hamle_client import View

from clients.bots.battleline.guile import guile_moves
from clients.bots.battleline.table import FOG, NUMBERS, TROOPS, Front, Table, bits, read
from clients.bots.battleline.turn import Play, complete, is_environment, plays_to_flags
from clients.bots.battleline.worth import flag_chance, worth
from clients.bots.runner import Bot, Choices

_MARGIN: Final = 0.25
"""How much better than a troop a tactics card must be: it can wait, and the opponent may then play one more."""
_SCOUT: Final = 0.1
"""What Scout is worth, for there is nothing on the table to tell."""
_TACTICS_WANTED: Final = 2


def captain() -> Bot:
    """The bot."""

    async def bot(view: View, choices: Choices) -> str:
        firsts = [choice.text for choice in await choices("")]
        claims = [text for text in firsts if text.startswith("claim:")]
        if claims:
            return claims[0]
        table = read(view)
        if firsts[0].startswith("ret:"):
            return await _give_back(table, choices, firsts)
        if firsts[0].startswith("trim:"):
            return _give_up(view, table, firsts)
        if firsts[0].startswith("draw:"):
            return _deck(view, table, firsts)
        if firsts == ["done"]:
            return "done"
        return await _best_play(table, choices, firsts)

    return bot


async def _best_play(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    now = [flag_chance(table, front, table.held()) for front in table.fronts]
    rated = [(_after(table, play, now), play.text) for play in await plays_to_flags(choices, firsts)]
    for first in firsts:
        if first in ("RDP:", "DES:", "TRA:"):
            moves = await complete(choices, first)
            rated += [(value - _MARGIN, text) for value, text in guile_moves(table, moves, now)]
    if "SCT" in firsts:
        rated.append((worth(now) + _SCOUT - _MARGIN, "SCT"))
    if "pass" in firsts:
        rated.append((worth(now), "pass"))
    return max(rated)[1]


def _after(table: Table, play: Play, now: Sequence[float]) -> float:
    """The table's worth after a card was played to a flag."""
    front = table.fronts[play.flag]
    if is_environment(play.card):
        changed = front._replace(fog=True) if play.card == FOG else front._replace(size=4)
        return worth(_with(now, play.flag, flag_chance(table, changed, table.held()))) - _MARGIN
    held = table.held() & ~bits((play.card,))
    flags = list(now) if play.card >= TROOPS else [flag_chance(table, one, held) for one in table.fronts]
    flags[play.flag] = flag_chance(table, _joined(front, play.card), held)
    return worth(flags) - (_MARGIN if play.card >= TROOPS else 0.0)


def _joined(front: Front, card: int) -> Front:
    return front._replace(mine=(*front.mine, card), newest_mine=True)


def _with(now: Sequence[float], flag: int, chance: float) -> list[float]:
    flags = list(now)
    flags[flag] = chance
    return flags


def _deck(view: View, table: Table, firsts: Sequence[str]) -> str:
    """Tactics cards are wanted while few are in hand and the limit does not hold them there."""
    game = view.game
    assert isinstance(game, pb.View)
    own = game.hands[table.seat]
    ahead = own.tactics_played - game.hands[1 - table.seat].tactics_played
    wanted = "draw:tactic" if own.tactics < _TACTICS_WANTED - max(0, ahead) else "draw:troop"
    return wanted if wanted in firsts else firsts[0]


async def _give_back(table: Table, choices: Choices, firsts: Sequence[str]) -> str:
    """The troops that the own flags miss least; the better one below the other."""
    losses = []
    for first in firsts:
        card = NUMBERS[first.removeprefix("ret:").rstrip(",")]
        held = table.held() & ~bits((card,))
        rest = worth([flag_chance(table, front, held) for front in table.fronts])
        losses.append((rest - (10 if card >= TROOPS else 0), first))
    losses.sort(reverse=True)
    if not losses[0][1].endswith(","):
        return losses[0][1]
    return losses[1][1] + losses[0][1].removeprefix("ret:").rstrip(",")


def _give_up(view: View, table: Table, firsts: Sequence[str]) -> str:
    """The card without which the flag's chance is best."""
    game = view.game
    assert isinstance(game, pb.View)
    front = table.fronts[game.trim - 1]

    def without(text: str) -> float:
        card = NUMBERS[text.removeprefix("trim:")]
        rest = tuple(other for other in front.mine if other != card)
        return flag_chance(table, front._replace(mine=rest), table.held())

    return max(firsts, key=without)
