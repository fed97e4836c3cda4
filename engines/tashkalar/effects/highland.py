"""The Highland deck."""

from __future__ import annotations

from engines.tashkalar.board import CENTRE, COLOURED, GREEN, NEIGHBOURS, RED, around
from engines.tashkalar.effects import being
from engines.tashkalar.look import COMBAT, STANDARD
from engines.tashkalar.phrases import may_combat_or_two_standard
from engines.tashkalar.pieces import COMMON, LEGENDARY, NOTHING, C, H, rank_of
from engines.tashkalar.scene import Asking, Scene


@being("wild-eagle")
@being("eagle-lord")
def eagle(g: Scene) -> Asking[None]:
    """May leap in combat."""
    yield from g.may_leap(g.here, COMBAT)


@being("clan-axeman")
def clan_axeman(g: Scene) -> Asking[None]:
    """May destroy a common or heroic piece straight beside it, whosever it is."""
    yield from g.may_destroy(g.pieces(C | H) & g.orthogonal)


@being("clan-healer")
def clan_healer(g: Scene) -> Asking[None]:
    """Up to two own commons are placed next to green squares."""
    if (yield from g.may_place(around(GREEN))) != NOTHING:
        yield from g.may_place(around(GREEN))


@being("dire-wolf")
@being("wolf-rider")
def wolf(g: Scene) -> Asking[None]:
    """Up to two combat moves."""
    yield from g.may_steps(2, lambda: g.self, COMBAT)


@being("ritual-keeper")
def ritual_keeper(g: Scene) -> Asking[None]:
    """On green an own common is upgraded; on red an own piece may make a combat move."""
    if g.self & GREEN:
        yield from g.must_upgrade(g.own(C))
    elif g.self & RED:
        yield from g.may_step(g.own(), COMBAT)


@being("blood-shaman")
def blood_shaman(g: Scene) -> Asking[None]:
    """Destroys a common or heroic piece anywhere, and when it stood on red, all commons next to that square."""
    square = yield from g.pick(g.pieces(C | H))
    if square != NOTHING:
        g.destroy(square)
        if RED >> square & 1:
            g.destroy_all(g.pieces(C) & NEIGHBOURS[square])


@being("war-drummer")
def war_drummer(g: Scene) -> Asking[None]:
    """One combat move or up to two standard moves by own pieces other than itself."""
    yield from may_combat_or_two_standard(g, lambda: g.own() & ~g.self)


@being("hill-giant")
def hill_giant(g: Scene) -> None:
    """Destroys all common and heroic pieces straight beside it, whosever they are."""
    g.destroy_all(g.pieces(C | H) & g.orthogonal)


@being("warlord")
def warlord(g: Scene) -> Asking[None]:
    """Up to three combat moves by own pieces, of three at least one by itself."""
    moved_itself = False
    for move in range(3):
        step = yield from g.may_step(g.self if move == 2 and not moved_itself else g.own(), COMBAT)
        if step is None:
            return
        moved_itself |= step.to == g.here


@being("war-summoner")
def war_summoner(g: Scene) -> None:
    """One more action; in the next summon of this turn an enemy piece may stand in for an own one."""
    g.gain()
    g.lend(enemies=1)


@being("ritual-master")
def ritual_master(g: Scene) -> Asking[None]:
    """On green two more actions; on red a heroic piece and a common may be destroyed, or one of them."""
    if g.self & GREEN:
        g.gain(2)
    elif g.self & RED:
        destroyed = yield from g.may_destroy(g.pieces(C | H))
        if destroyed != NOTHING:
            yield from g.may_destroy(g.pieces(H if rank_of(destroyed) == COMMON else C))


@being("legend-slayer")
def legend_slayer(g: Scene) -> Asking[None]:
    """May destroy a legendary piece or up to two others at its corners, whosever they are."""
    destroyed = yield from g.may_destroy(g.pieces() & g.diagonal)
    if destroyed != NOTHING and rank_of(destroyed) != LEGENDARY:
        yield from g.may_destroy(g.pieces(C | H) & g.diagonal)


@being("mountain-troll")
def mountain_troll(g: Scene) -> None:
    """Destroys all enemy commons next to it; two or more give an action."""
    if g.destroy_all(g.enemy(C) & g.near) >= 2:
        g.gain()


@being("hungry-bear")
def hungry_bear(g: Scene) -> Asking[None]:
    """May make a standard move, and another one when that captured something."""
    step = yield from g.may_step(g.self, STANDARD)
    if step is not None and step.captured != NOTHING:
        yield from g.may_step(g.self, STANDARD)


@being("werewolf")
def werewolf(g: Scene) -> Asking[None]:
    """On red or green, but not in the centre, up to three combat moves; elsewhere up to one standard move."""
    if g.self & COLOURED & ~(1 << CENTRE):
        yield from g.may_steps(3, lambda: g.self, COMBAT)
    else:
        yield from g.may_step(g.self, STANDARD)


@being("clan-guardian")
def clan_guardian(g: Scene) -> Asking[None]:
    """May upgrade a common of the pattern."""
    yield from g.may_upgrade(g.pattern & g.pieces(C))
