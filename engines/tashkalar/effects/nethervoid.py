"""The Nethervoid deck, whose effects look to the Gateway (rules §16)."""

from __future__ import annotations

from engines.tashkalar.board import ALL, DISTANCE, GREEN, NEIGHBOURS, RED, around
from engines.tashkalar.effects import being
from engines.tashkalar.hand import FLARE
from engines.tashkalar.look import COMBAT, STANDARD
from engines.tashkalar.pieces import COMMON, HEROIC, LEGENDARY, NOTHING, C, H, rank_of
from engines.tashkalar.scene import Asking, Scene


def gate(g: Scene) -> int:
    """The Gateway's square as a set; empty when there is none."""
    return 0 if g.gateway == NOTHING else 1 << g.gateway


def by_gate(g: Scene) -> int:
    """The squares next to the Gateway."""
    return around(gate(g))


def nearer(g: Scene, movers: int) -> list[tuple[int, int]]:
    """The combat moves of these movers that bring them nearer to the Gateway; onto it is nearer too."""
    if g.gateway == NOTHING:
        return []
    away = DISTANCE[g.gateway]
    return [(start, to) for start, to in g.steps(movers, COMBAT) if away[to] < away[start]]


@being("shadow-imp")
def shadow_imp(g: Scene) -> Asking[None]:
    """May make a combat move; the Gateway, unless it is that, may make one in the same direction."""
    step = yield from g.may_step(g.self, COMBAT)
    if step is not None and not g.self & gate(g):
        yield from g.may_run(gate(g), COMBAT, (step.direction,), most=1)


@being("flame-imp")
def flame_imp(g: Scene) -> Asking[None]:
    """May destroy a common next to the Gateway, whosever it is."""
    yield from g.may_destroy(g.pieces(C) & by_gate(g))


@being("gate-keeper")
def gate_keeper(g: Scene) -> Asking[None]:
    """An own common may be upgraded, or one may be placed; it becomes the Gateway."""
    commons = g.own(C)
    square = yield from g.may_pick(commons | g.placeable(ALL))
    if square == NOTHING:
        return
    if commons >> square & 1:
        g.upgrade(square)
    else:
        g.place(square)
    g.open_gateway(square)


@being("demon-of-gluttony")
def demon_of_gluttony(g: Scene) -> Asking[None]:
    """May make a combat move; a capture upgrades it for another one; another capture makes it the Gateway."""
    step = yield from g.may_step(g.self, COMBAT)
    if step is None or step.captured == NOTHING:
        return
    g.upgrade(g.here)
    step = yield from g.may_step(g.self, COMBAT)
    if step is not None and step.captured != NOTHING:
        g.open_gateway(g.here)


@being("demon-of-pride")
def demon_of_pride(g: Scene) -> Asking[None]:
    """It is upgraded and becomes the Gateway; then it may make a combat move."""
    g.upgrade(g.here)
    g.open_gateway(g.here)
    yield from g.may_step(g.self, COMBAT)


@being("acolyte-of-destruction")
def acolyte_of_destruction(g: Scene) -> Asking[None]:
    """Destroys a common anywhere; with the Gateway on red it may also destroy a heroic piece next to that square."""
    square = yield from g.pick(g.pieces(C))
    if square != NOTHING:
        g.destroy(square)
        if gate(g) & RED:
            yield from g.may_destroy(g.pieces(H) & NEIGHBOURS[square])


@being("acolyte-of-growth")
def acolyte_of_growth(g: Scene) -> Asking[None]:
    """An own common is placed; with the Gateway on green a heroic piece is placed next to it."""
    square = yield from g.must_place()
    if square != NOTHING and gate(g) & GREEN:
        yield from g.must_place(NEIGHBOURS[square], HEROIC)


@being("power-seeker")
def power_seeker(g: Scene) -> Asking[None]:
    """As the Gateway it may make a standard move, otherwise any number of combat moves nearer to the Gateway."""
    if g.self & gate(g):
        yield from g.may_step(g.self, STANDARD)
    else:
        while (yield from g.may_go(nearer(g, g.self))) is not None:
            pass


@being("hell-hound")
def hell_hound(g: Scene) -> Asking[None]:
    """May destroy a piece next to it; its card goes under its deck, unless that was legendary or the deck is empty."""
    destroyed = yield from g.may_destroy(g.pieces() & g.near)
    if g.player.deck and (destroyed == NOTHING or rank_of(destroyed) != LEGENDARY):
        g.keep_under()


@being("vortexmaster")
def vortexmaster(g: Scene) -> Asking[None]:
    """The Gateway may make a combat move; then an own piece next to the Gateway may make one."""
    yield from g.may_step(gate(g), COMBAT)
    yield from g.may_step(g.own() & by_gate(g), COMBAT)


@being("gate-master")
def gate_master(g: Scene) -> Asking[None]:
    """Upgrades the Gateway, which counts as a legend summoned where it became one; then names another Gateway."""
    upgraded = yield from g.must_upgrade(gate(g))
    if upgraded != NOTHING and g.rank_at(upgraded) == LEGENDARY:
        g.count_as(LEGENDARY)
    named = yield from g.pick(g.own(C | H))
    if named != NOTHING:
        g.open_gateway(named)


@being("hell-rider")
def hell_rider(g: Scene) -> Asking[None]:
    """As the Gateway it may make a combat move, otherwise up to three."""
    yield from g.may_steps(1 if g.self & gate(g) else 3, lambda: g.self, COMBAT)


@being("demon-of-wrath")
def demon_of_wrath(g: Scene) -> Asking[None]:
    """Destroys all enemy commons next to the Gateway, which may make a standard move first when there is none."""
    if not g.enemy(C) & by_gate(g):
        yield from g.may_step(gate(g), STANDARD)
    g.destroy_all(g.enemy(C) & by_gate(g))


@being("demon-of-greed")
def demon_of_greed(g: Scene) -> Asking[None]:
    """Destroys an own common and an own heroic piece, not the Gateway; each gives an action."""
    for ranks in (C, H):
        if (yield from g.must_destroy(g.own(ranks) & ~gate(g))) != NOTHING:
            g.gain()


@being("demon-of-lust")
def demon_of_lust(g: Scene) -> Asking[None]:
    """Up to two pieces of anybody may make a combat move each, nearer to the Gateway but not onto it."""
    moved = 0
    for _ in range(2):
        step = yield from g.may_go([way for way in nearer(g, g.pieces() & ~moved) if way[1] != g.gateway])
        if step is None:
            return
        moved |= 1 << step.to


@being("demon-of-sloth")
def demon_of_sloth(g: Scene) -> None:
    """An action is lost; without one left the Gateway is destroyed."""
    if g.actions:
        g.lose()
    else:
        g.destroy_all(gate(g))


@being("demon-of-envy")
def demon_of_envy(g: Scene) -> Asking[None]:
    """Places commons next to the Gateway, one at least, as long as an opponent has more pieces."""
    while (yield from g.must_place(by_gate(g))) != NOTHING:
        if not any(g.of(enemy).bit_count() > g.own().bit_count() for enemy in g.enemies):
            return


@being("possessed-summoner")
def possessed_summoner(g: Scene) -> Asking[None]:
    """Places an enemy common by its like, whose pieces the next summon uses; a discarded flare gives an action."""
    near = {enemy: g.empty & around(g.of(enemy)) for enemy in g.enemies if g.stock(enemy, COMMON) > 0}
    colour = yield from g.colour([enemy for enemy, squares in near.items() if squares])
    if colour != NOTHING:
        g.place((yield from g.pick(near[colour])), COMMON, colour)
        g.lend(colour=colour)
    flare = yield from g.may_choose([key for key in g.hand() if key in FLARE])
    if flare:
        g.discard(flare)
        g.gain()
