"""The flares, each with a half for those behind in upgraded pieces and one for those behind in all (rules §8)."""

from __future__ import annotations

from engines.tashkalar.effects import flare
from engines.tashkalar.look import COMBAT, STANDARD
from engines.tashkalar.phrases import may_combat_and_standard, may_combat_or_two_standard, must_place_or
from engines.tashkalar.pieces import HEROIC, NOTHING, C, H
from engines.tashkalar.scene import Asking, Scene


@flare(1, "upper")
@flare(2, "upper")
@flare(2, "lower")
@flare(4, "upper")
@flare(7, "upper")
@flare(8, "lower")
@flare(10, "lower")
@flare(11, "upper")
def a_common(g: Scene) -> Asking[None]:
    """An own common is placed."""
    yield from g.must_place()


@flare(5, "lower")
@flare(10, "upper")
def two_commons(g: Scene) -> Asking[None]:
    """Two own commons are placed."""
    yield from g.must_place()
    yield from g.must_place()


@flare(1, "lower")
@flare(9, "upper")
def a_heroic_piece(g: Scene) -> Asking[None]:
    """An own heroic piece is placed."""
    yield from g.must_place(rank=HEROIC)


@flare(3, "lower")
@flare(8, "upper")
@flare(12, "lower")
def an_action(g: Scene) -> None:
    """One more action."""
    g.gain()


@flare(3, "upper")
def three_moves(g: Scene) -> Asking[None]:
    """Up to three standard moves by own commons."""
    yield from g.may_steps(3, lambda: g.own(C), STANDARD)


@flare(4, "lower")
def a_common_or_a_conversion(g: Scene) -> Asking[None]:
    """An own common is placed, or an enemy common is converted."""
    square = yield from must_place_or(g, g.convertible(g.enemy(C)))
    if square != NOTHING:
        g.convert(square)


@flare(5, "upper")
def a_move_or_an_upgrade(g: Scene) -> Asking[None]:
    """A standard move by an own common, or an own common is upgraded."""
    possible = {"move": bool(g.steps(g.own(C), STANDARD)), "upgrade": bool(g.own(C))}
    word = yield from g.choose([word for word, can_be_done in possible.items() if can_be_done])
    if word == "move":
        yield from g.must_step(g.own(C), STANDARD)
    else:
        yield from g.must_upgrade(g.own(C))


@flare(6, "upper")
def a_common_or_an_upgrade(g: Scene) -> Asking[None]:
    """An own common is placed, or one is upgraded."""
    square = yield from must_place_or(g, g.own(C))
    if square != NOTHING:
        g.upgrade(square)


@flare(6, "lower")
def a_leap_in_combat(g: Scene) -> Asking[None]:
    """An own common may make a combat leap."""
    yield from g.may_any_leap(g.own(C), COMBAT)


@flare(7, "lower")
def an_upgrade_and_an_action(g: Scene) -> Asking[None]:
    """An own common is upgraded, and one more action."""
    yield from g.must_upgrade(g.own(C))
    g.gain()


@flare(9, "lower")
def a_combat_and_a_standard_move(g: Scene) -> Asking[None]:
    """One combat and one standard move by own commons, in either order."""
    yield from may_combat_and_standard(g, lambda: g.own(C))


@flare(11, "lower")
def a_combat_or_two_standard_moves(g: Scene) -> Asking[None]:
    """One combat move or up to two standard moves by own commons and heroic pieces."""
    yield from may_combat_or_two_standard(g, lambda: g.own(C | H))


@flare(12, "upper")
def a_standard_leap(g: Scene) -> Asking[None]:
    """An own common may make a standard leap."""
    yield from g.may_any_leap(g.own(C), STANDARD)
