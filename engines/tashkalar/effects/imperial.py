"""The Empires, northern and southern: one deck twice."""

from __future__ import annotations

from engines.tashkalar.effects import being
from engines.tashkalar.look import COMBAT, FREE, STANDARD
from engines.tashkalar.pieces import HEROIC, LEGENDARY, NOTHING, C, H, rank_of
from engines.tashkalar.scene import Asking, Scene


@being("swordmaster")
def swordmaster(g: Scene) -> Asking[None]:
    """May destroy an enemy common at a corner, and is upgraded if it does."""
    if (yield from g.may_destroy(g.enemy(C) & g.diagonal)) != NOTHING:
        g.upgrade(g.here)


@being("messenger")
def messenger(g: Scene) -> Asking[None]:
    """An own common or heroic piece may make standard moves straight on."""
    yield from g.may_run(g.own(C | H), STANDARD)


@being("herald")
def herald(g: Scene) -> Asking[None]:
    """Up to two moves onto empty squares by own pieces."""
    yield from g.may_steps(2, g.own, FREE)


@being("bomb")
def bomb(g: Scene) -> None:
    """Unless this was the last action, it and all commons next to it are destroyed."""
    if g.actions:
        g.destroy_all(g.self | g.near & g.pieces(C))


@being("chronicler")
def chronicler(g: Scene) -> Asking[None]:
    """Another own common is upgraded and may then make a standard move."""
    upgraded = yield from g.must_upgrade(g.own(C) & ~g.self)
    if upgraded != NOTHING:
        yield from g.may_step(1 << upgraded, STANDARD)


@being("assassin")
def assassin(g: Scene) -> Asking[None]:
    """Destroys whatever is on the marked square; may step there when there was nothing."""
    if not g.destroy_all(g.marked):
        yield from g.may_step(g.self, STANDARD, onto=g.marked)


@being("time-mage")
def time_mage(g: Scene) -> None:
    """One more action; an enemy piece on the marked square is destroyed."""
    g.gain()
    g.destroy_all(g.enemy() & g.marked)


@being("summoner")
def summoner(g: Scene) -> Asking[None]:
    """Up to two own commons are placed on marked squares."""
    if (yield from g.may_place(g.marked)) != NOTHING:
        yield from g.may_place(g.marked)


@being("hypnotist")
def hypnotist(g: Scene) -> Asking[None]:
    """Up to three commons or up to two heroic pieces of one enemy colour make a combat move each."""
    movers, moved = g.enemy(C | H), 0
    for move in range(3):
        step = yield from g.may_step(movers & ~moved, COMBAT)
        if step is None:
            return
        piece = g.piece_at(step.to)
        if move == 1 and rank_of(piece) == HEROIC:
            return
        moved |= 1 << step.to
        movers = g.board[piece]


@being("cannon")
def cannon(g: Scene) -> Asking[None]:
    """May destroy all commons in a marked direction."""
    direction = yield from g.may_direction(g.marks.directions)
    if direction != NOTHING:
        g.destroy_all(g.pieces(C) & g.ray(g.here, direction))


@being("champion")
def champion(g: Scene) -> Asking[None]:
    """May destroy an enemy piece next to it; a legendary one takes it along and gives an action."""
    destroyed = yield from g.may_destroy(g.enemy() & g.near)
    if destroyed != NOTHING and rank_of(destroyed) == LEGENDARY:
        g.destroy(g.here)
        g.gain()


@being("infantry-captain")
def infantry_captain(g: Scene) -> Asking[None]:
    """Up to two combat moves by own pieces other than itself."""
    yield from g.may_steps(2, lambda: g.own() & ~g.self, COMBAT)


@being("cavalry-captain")
def cavalry_captain(g: Scene) -> Asking[None]:
    """Another own piece makes up to one combat move and up to two standard moves in any order."""
    movers, how = g.own() & ~g.self, COMBAT
    for _ in range(3):
        step = yield from g.may_step(movers, how)
        if step is None:
            return
        movers = 1 << step.to
        if step.needed_combat:
            how = STANDARD


@being("gryphon-rider")
def gryphon_rider(g: Scene) -> Asking[None]:
    """May leap in combat; then may be downgraded for an own common next to it."""
    if (yield from g.may_leap(g.here, COMBAT)) is None:
        return
    if (yield from g.may("downgrade")):
        g.downgrade(g.here)
        yield from g.must_place(g.near)


@being("knight")
def knight(g: Scene) -> Asking[None]:
    """Up to three combat moves, none onto a common."""
    for _ in range(3):
        if (yield from g.may_step(g.self, COMBAT, onto=~g.pieces(C))) is None:
            return


@being("high-priestess")
def high_priestess(g: Scene) -> Asking[None]:
    """May make a standard move; then may upgrade a common next to her, whosever it is."""
    yield from g.may_step(g.self, STANDARD)
    yield from g.may_upgrade(g.near & g.pieces(C))


@being("master-of-intrigue")
def master_of_intrigue(g: Scene) -> Asking[None]:
    """Up to three moves, standard ones of its own, combat ones of commons and heroic pieces of the pattern."""
    for _ in range(3):
        ways = g.steps(g.self, STANDARD) + g.steps(g.pattern & g.pieces(C | H), COMBAT)
        if (yield from g.may_go(ways)) is None:
            return


@being("gun-tower")
def gun_tower(g: Scene) -> Asking[None]:
    """May shoot in a marked direction: the first two pieces are destroyed; a legendary one ends the shot."""
    direction = yield from g.may_direction(g.marks.directions)
    if direction == NOTHING:
        return
    for _ in range(2):
        hit = g.first_on(g.here, direction, g.pieces())
        if hit == NOTHING or g.rank_at(hit) == LEGENDARY:
            return
        g.destroy(hit)
