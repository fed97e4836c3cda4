"""Claims at the table: which flags a seat can prove its own, and why not (rules §6)."""

from __future__ import annotations

from engines.battleline.cards import NAMES
from engines.battleline.formation import Rank, Reach, Strength
from engines.battleline.legal import Objection
from engines.battleline.proof import Verdict, judge
from engines.battleline.state import NOBODY, SLOTS, State


def verdict(state: State, seat: int, flag: int) -> Verdict:
    """Whether the seat's claim of an unclaimed flag is proven by open information."""
    front = state.fronts[flag]
    ahead = bool(front.order) and front.order[-1] != seat
    return judge(front.sides[seat], front.sides[1 - seat], state.size(flag), state.foggy(flag), state.unseen, ahead)


def claimable(state: State, seat: int) -> list[int]:
    """The flags that the seat can claim."""
    return [
        flag
        for flag, (sides, _, owner) in enumerate(state.fronts)
        if owner == NOBODY
        and len(sides[seat]) >= SLOTS
        and len(sides[seat]) == state.size(flag)
        and verdict(state, seat, flag).holds
    ]


def against_claim(state: State, seat: int, flag: int, found: Verdict) -> Objection | None:
    """What is against a claim: the counter-example where the other side can still win."""
    front = state.fronts[flag]
    if front.owner != NOBODY:
        return Objection(f"flag {flag + 1} is claimed", "an unclaimed flag", "rules §6")
    if found.mine is None:
        size = state.size(flag)
        what = f"your side of flag {flag + 1} has {len(front.sides[seat])} of {size} cards"
        return Objection(what, "a flag where your side is complete", "rules §6")
    if found.holds:
        return None
    assert found.reply is not None
    expected = "a flag where no completion from unseen troops beats your side"
    return Objection(_counter_example(flag, found.mine, found.reply), expected, "rules §6")


def _counter_example(flag: int, mine: Strength, reply: Reach) -> str:
    here, yours, theirs = f"flag {flag + 1}", _told(mine), _told(reply.strength)
    if reply.fill:
        fill = " ".join(NAMES[card] for card in reply.fill)
        return f"{here} is not proven: with {fill} the other side is {theirs} against your {yours}"
    if reply.strength == mine:
        return f"{here} is not yours: both sides are {theirs}, and the other was completed first"
    return f"{here} is not yours: the other side is {theirs} against your {yours}"


def _told(strength: Strength) -> str:
    return f"{Rank(strength.rank).name.lower()} {strength.sum}"
