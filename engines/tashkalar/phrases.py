"""Steps that several cards share, said in the vocabulary of `scene.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engines.tashkalar.board import ALL, DIRECTION_TO
from engines.tashkalar.look import COMBAT, STANDARD
from engines.tashkalar.pieces import ANY, COMMON, NOTHING, C
from engines.tashkalar.scene import ALL_DIRECTIONS, Asking, Option, Request, Run, Scene


def may_combat_or_two_standard(g: Scene, movers: Callable[[], int]) -> Asking[None]:
    """The movers, looked up before each move, may make either one combat move or up to two standard ones."""
    step = yield from g.may_step(movers(), COMBAT)
    if step is not None and not step.needed_combat:
        yield from g.may_step(movers(), STANDARD)


def may_combat_and_standard(g: Scene, movers: Callable[[], int]) -> Asking[None]:
    """The movers, looked up before each move, may make one combat and one standard move, in either order."""
    step = yield from g.may_step(movers(), COMBAT)
    if step is not None:
        yield from g.may_step(movers(), STANDARD if step.needed_combat else COMBAT)


def may_run_until(g: Scene, movers: int, how: int, halt: int) -> Asking[Run]:
    """One of the movers may make moves straight on, up to the first of the squares `halt` on its way."""
    ways = g.runs(movers, how, ALL_DIRECTIONS, most=8)
    return (yield from g.may_run_along([way for way in ways if not _between(g, *way) & halt]))


def _between(g: Scene, start: int, to: int) -> int:
    direction = DIRECTION_TO[start][to]
    return g.ray(start, direction) & ~g.ray(to, direction) & ~(1 << to)


def must_place_or(g: Scene, others: int) -> Asking[int]:
    """An own common is placed on an empty square, or else one of the other squares is picked and returned.

    NOTHING where a common was placed, or nothing is possible.
    """
    square = yield from g.pick(g.placeable(ALL) | others)
    if square == NOTHING or others >> square & 1:
        return square
    g.place(square)
    return NOTHING


def enemies_ahead(g: Scene, ranks: int) -> int:
    """All pieces of the enemies that have more pieces of these ranks than the seat."""
    mine, found = g.own(ranks).bit_count(), 0
    for enemy in g.enemies:
        if g.of(enemy, ranks).bit_count() > mine:
            found |= g.of(enemy, ANY)
    return found


def must_upgrade_of_each(g: Scene, colours: Sequence[int]) -> Asking[None]:
    """A common of each of the colours is upgraded."""
    for colour in colours:
        yield from g.must_upgrade(g.of(colour, C))


def enemy_with_commons(g: Scene) -> Asking[int]:
    """The colour of an enemy that has a free counter for a common; NOTHING where none has."""
    return (yield from g.colour([enemy for enemy in g.enemies if g.stock(enemy, COMMON) > 0]))


def must_put_enemy(g: Scene, squares: int) -> Asking[int]:
    """An enemy common is put on one of the squares that are empty, if possible; returns its colour, or NOTHING."""
    squares &= g.empty
    if not squares:
        return NOTHING
    colour = yield from enemy_with_commons(g)
    if colour != NOTHING:
        g.place((yield from g.pick(squares)), COMMON, colour)
    return colour


def one_of(g: Scene, options: Sequence[Option], *, optional: bool) -> Asking[Option | None]:
    """One of the options, of whatever kinds; None where it is declined or there is none. Nothing is done yet."""
    if not options:
        return None
    if len(options) == 1 and not optional:
        return options[0]
    return (yield Request(options, optional))


def may_swap(g: Scene, pairs: Sequence[tuple[int, int]]) -> Asking[bool]:
    """The pieces on one of these pairs of squares change places, or none do; returns whether."""
    pair = yield from one_of(g, pairs, optional=True)
    if not isinstance(pair, tuple):
        return False
    g.swap(*pair)
    return True
