"""Whether a claim is proven by what lies open (rules §6), and the reply that decides it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engines.battleline.formation import Reach, Strength, reach, strength


class Verdict(NamedTuple):
    """What a claim comes to.

    `mine` is None when the claimant's side is not complete. `reply` is the best that the other side has or can still
    reach with unseen troops, None when too few of them are left to fill it.
    """

    holds: bool
    mine: Strength | None
    reply: Reach | None = None


@lru_cache(maxsize=1 << 13)
def judge(mine: tuple[int, ...], theirs: tuple[int, ...], size: int, fog: bool, unseen: int, ahead: bool) -> Verdict:
    """The verdict on a claim for the side `mine` against `theirs`, both of up to `size` (3 or 4) cards.

    `unseen` are the troops that lie nowhere open, as bits; `ahead` tells whether the newest card of the two sides is
    one of `theirs`. All of it is open information, so the verdict and its reply tell nothing hidden.
    """
    if len(mine) < size:
        return Verdict(False, None)
    shown = strength(mine, fog)
    reply = reach(theirs, size, fog, unseen)
    if reply is None or reply.strength < shown:
        return Verdict(True, shown, reply)
    tie_is_mine = ahead or len(theirs) < size
    return Verdict(reply.strength == shown and tie_is_mine, shown, reply)
