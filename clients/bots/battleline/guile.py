"""What Deserter, Traitor and Redeploy would make of the table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from clients.bots.battleline.table import FOG, MUD, NUMBERS, Front, Table
from clients.bots.battleline.worth import flag_chance, worth

_MOVE: Final = re.compile(r"(RDP|DES|TRA):(\w+)@(\d)(?:>(\w))?")


def guile_moves(table: Table, moves: Iterable[str], now: Sequence[float]) -> list[tuple[float, str]]:
    """(worth of the table after it, move) for each move; `now` are the chances of the flags before."""
    return [(_after(table, text, now), text) for text in moves]


def _after(table: Table, text: str, now: Sequence[float]) -> float:
    found = _MOVE.fullmatch(text)
    assert found is not None
    kind, name, at, to = found.groups()
    card, flag = NUMBERS[name], int(at) - 1
    fronts = {flag: _without(table.fronts[flag], card, mine=kind == "RDP")}
    if to is not None and to != "x":
        target = int(to) - 1
        fronts[target] = _with(fronts.get(target, table.fronts[target]), card)
    flags = list(now)
    for changed, front in fronts.items():
        flags[changed] = flag_chance(table, front, table.held())
    return worth(flags)


def _without(front: Front, card: int, *, mine: bool) -> Front:
    if card == FOG:
        return front._replace(fog=False)
    if card == MUD:
        return front._replace(size=3, mine=front.mine[:3], theirs=front.theirs[:3])
    if mine:
        return front._replace(mine=tuple(other for other in front.mine if other != card))
    return front._replace(theirs=tuple(other for other in front.theirs if other != card))


def _with(front: Front, card: int) -> Front:
    if card == FOG:
        return front._replace(fog=True)
    if card == MUD:
        return front._replace(size=4)
    return front._replace(mine=(*front.mine, card), newest_mine=True)
