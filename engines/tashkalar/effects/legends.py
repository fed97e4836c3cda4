"""The legends, which all seats share."""

from __future__ import annotations

from typing import Final

from engines.tashkalar.board import COLOURED, GREEN, NEIGHBOURS, RED, around
from engines.tashkalar.effects import being
from engines.tashkalar.look import COMBAT
from engines.tashkalar.phrases import may_run_until
from engines.tashkalar.pieces import COMMON, NOTHING, RANKS, UPGRADED, C, H, L
from engines.tashkalar.scene import Asking, Scene

BY_RED: Final = RED | around(RED)
BY_GREEN: Final = GREEN | around(GREEN)
"""The squares on or next to squares of a colour."""
STORM: Final = (5, 3, 1)
"""By rank: how many moves the Storm Elemental's piece makes at most."""


@being("fire-dragon")
def fire_dragon(g: Scene) -> Asking[None]:
    """Destroys what is not legendary, up to two squares away in a marked direction and in those beside it."""
    direction = yield from g.direction(g.marks.directions)
    for ray in (direction - 1, direction, direction + 1):
        g.destroy_all(g.pieces(C | H) & g.within(2) & g.ray(g.here, ray % 8))


@being("hell-bull")
def hell_bull(g: Scene) -> Asking[None]:
    """May make combat moves straight on; it stops where it destroys a legendary piece."""
    yield from may_run_until(g, g.self, COMBAT, g.pieces(L))


@being("angel-of-death")
def angel_of_death(g: Scene) -> Asking[None]:
    """May pick another piece, which is upgraded as far as it can be, and leap onto it."""
    square = yield from g.may_pick(g.pieces() & ~g.self)
    if square != NOTHING:
        g.upgrade(square)
        g.move(g.here, square)


@being("the-eldest-tree")
def the_eldest_tree(g: Scene) -> Asking[None]:
    """On up to three squares next to it: destroys an enemy, upgrades an own common, or places one."""
    done = 0
    for _ in range(3):
        enemies, commons = g.enemy(C | H), g.own(C)
        square = yield from g.may_pick(g.near & ~done & (enemies | commons | g.placeable(g.near)))
        if square == NOTHING:
            return
        bit = 1 << square
        done |= bit
        if enemies & bit:
            g.destroy(square)
        elif commons & bit:
            g.upgrade(square)
        else:
            g.place(square)


@being("bone-catapult")
def bone_catapult(g: Scene) -> Asking[None]:
    """May destroy any piece in a marked direction, and all commons next to that one."""
    targets = 0
    for direction in g.marks.directions:
        targets |= g.pieces() & g.ray(g.here, direction)
    square = yield from g.may_pick(targets)
    if square != NOTHING:
        g.destroy(square)
        g.destroy_all(g.pieces(C) & NEIGHBOURS[square])


@being("fire-elemental")
def fire_elemental(g: Scene) -> Asking[None]:
    """Destroys either the enemies next to it that are not legendary, or the enemy commons up to two squares away."""
    reach = {"adjacent": g.enemy(C | H) & g.near, "up-to-two-away": g.enemy(C) & g.within(2)}
    word = yield from g.choose([word for word, squares in reach.items() if squares])
    if word:
        g.destroy_all(reach[word])


@being("leviathan")
def leviathan(g: Scene) -> Asking[None]:
    """Downgrades up to three connected upgraded pieces, or destroys up to four connected commons."""
    first = yield from g.pick(g.pieces(C) | g.downgradable(g.pieces(UPGRADED)))
    if first == NOTHING:
        return
    destroys = g.rank_at(first) == COMMON
    group, square = 0, first
    while square != NOTHING:
        group |= 1 << square
        if destroys:
            g.destroy(square)
        else:
            g.downgrade(square)
        if group.bit_count() == (4 if destroys else 3):
            return
        more = g.pieces(C) if destroys else g.downgradable(g.pieces(UPGRADED))
        square = yield from g.may_pick(more & around(group) & ~group)


@being("two-headed-dragon")
def two_headed_dragon(g: Scene) -> Asking[None]:
    """May upgrade a piece of the pattern; then may destroy a heroic piece next to that one."""
    upgraded = yield from g.may_upgrade(g.pattern)
    if upgraded != NOTHING:
        yield from g.may_destroy(g.pieces(H) & NEIGHBOURS[upgraded])


@being("earth-elemental")
def earth_elemental(g: Scene) -> Asking[None]:
    """Destroys a piece by a red square, upgrades a common by a green one, then may move onto either colour."""
    yield from g.must_destroy(g.pieces(C | H) & BY_RED)
    yield from g.must_upgrade(g.pieces(C) & BY_GREEN)
    yield from g.may_step(g.self, COMBAT, onto=COLOURED)


@being("time-elemental")
def time_elemental(g: Scene) -> None:
    """Another full turn follows this one."""
    g.turn = g.turn._replace(again=g.turn.again + 1)


@being("storm-elemental")
def storm_elemental(g: Scene) -> Asking[None]:
    """May place a piece of any rank up to three squares away; it makes combat moves straight on and is destroyed."""
    word = yield from g.may_choose([word for rank, word in enumerate(RANKS) if g.placeable(g.within(3), rank)])
    if not word:
        return
    rank = RANKS.index(word)
    square = yield from g.must_place(g.within(3), rank)
    run = yield from g.may_run(1 << square, COMBAT, most=STORM[rank])
    g.destroy(run[-1].to if run else square)


@being("titan")
def titan(g: Scene) -> None:
    """Destroys all pieces straight beside it and at its corners those not legendary, which are nobody's doing."""
    g.destroy_all(g.orthogonal & g.pieces() | g.diagonal & g.pieces(C | H), counts=False)
