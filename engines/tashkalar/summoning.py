"""Where the beings of a hand can be summoned, stand-ins and shortage of counters included (rules §7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engines.tashkalar.board import NAMES, bits
from engines.tashkalar.cards import BEINGS, Being
from engines.tashkalar.look import Look
from engines.tashkalar.patterns import Lender, Ranks, Summon, blocked_for, lent_summons, summons
from engines.tashkalar.pieces import ANY, LEGENDARY, NOTHING, UPGRADED, C, H, L
from engines.tashkalar.state import Form

BORROWED, VOID, IMPROVISED = "+", "~", "*"
"""Marks of stand-ins: an enemy piece that a card lends, an empty square, an enemy piece of an improvised summon."""


class Way(NamedTuple):
    """A way to summon a being: the square, the image of its pattern, the pattern's squares, and the stand-ins.

    `lent` are pairs of a square and the mark of what lends it. `by` tells patterns apart that lie anywhere.
    """

    square: int
    image: int
    needed: int
    lent: tuple[tuple[int, str], ...] = ()
    by: str = ""

    @property
    def text(self) -> str:
        """How moves name it: `e5r2`, the stand-ins behind it, as in `e5r2+f6`."""
        return f"{NAMES[self.square]}r{self.image}{self.by}" + "".join(f"{mark}{NAMES[at]}" for at, mark in self.lent)


def ways(look: Look, card: int) -> list[Way]:
    """All ways to summon the being now, if the seat holds it."""
    being = BEINGS[card]
    barred = blocked_for(card, ranks(look, look.pieces(ANY)))
    bonus = look.turn.bonus
    colour = look.me if bonus.colour == NOTHING else bonus.colour
    own = ranks(look, look.of(colour))
    found = [Way(*summon) for summon in _different(look, being, summons(card, own, barred))]
    lenders = _lenders(look)
    if lenders:
        marks = [mark for mark, _ in lenders]
        for summon, lent in lent_summons(card, own, barred, [lender for _, lender in lenders]):
            found.append(Way(*summon, tuple((at, marks[lender]) for at, lender in lent)))
    if being.anywhere and (lenders or look.stock(look.me, being.rank) < 1):
        found = [way._replace(by=f"={NAMES[next(bits(way.needed))]}") for way in found]
    return [way for way in found if _has_counter(look, being, way)]


def ranks(look: Look, among: int) -> Ranks:
    """Squares among these by lowest rank, as patterns want them."""
    return among & look.pieces(ANY), among & look.pieces(UPGRADED), among & look.pieces(L)


def counters(look: Look, being: Being) -> int:
    """The own pieces whose counters could become the being's piece: the two-sided ones, or the legendary ones."""
    return look.own(L if being.rank == LEGENDARY else C | H)


def liftable(look: Look, being: Being, way: Way) -> int:
    """The own pieces of which one must be lifted for its counter; empty where none has to be (rules §7)."""
    if look.stock(look.me, being.rank) > 0:
        return 0
    same = counters(look, being)
    return 0 if same >> way.square & 1 else same & ~way.needed


def _has_counter(look: Look, being: Being, way: Way) -> bool:
    if look.stock(look.me, being.rank) > 0:
        return True
    return bool(counters(look, being) >> way.square & 1 or liftable(look, being, way))


def _different(look: Look, being: Being, found: Sequence[Summon]) -> Sequence[Summon]:
    """The summons that differ in anything but the image, which matters for marks and for what can be lifted."""
    if being.is_marked or len(found) < 2 or look.stock(look.me, being.rank) < 1:
        return found
    return list({summon.square: summon for summon in reversed(found)}.values())[::-1]


def _lenders(look: Look) -> list[tuple[str, Lender]]:
    bonus = look.turn.bonus
    found = []
    if bonus.enemies:
        found.append((BORROWED, Lender(ranks(look, look.enemy()), bonus.enemies)))
    if bonus.empties:
        found.append((VOID, Lender((look.empty, 0, 0), bonus.empties)))
    if look.before.rules.form is Form.MELEE:
        used = look.improvised[look.me]
        free = 0
        for colour in look.enemies:
            if not used >> colour & 1:
                free |= look.of(colour)
        if free:
            found.append((IMPROVISED, Lender(ranks(look, free), 1)))
    return found
