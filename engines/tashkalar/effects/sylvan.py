"""The Sylvan deck."""

from __future__ import annotations

from engines.tashkalar.board import around
from engines.tashkalar.cards import BEING, BEINGS
from engines.tashkalar.effects import being
from engines.tashkalar.look import COMBAT, STANDARD
from engines.tashkalar.phrases import enemies_ahead, must_put_enemy, must_upgrade_of_each
from engines.tashkalar.pieces import COMMON, HEROIC, LEGENDARY, NOTHING, UPGRADED, C, H
from engines.tashkalar.scene import Asking, Scene


@being("sapling")
def sapling(g: Scene) -> None:
    """Is upgraded."""
    g.upgrade(g.here)


@being("kiskin-farseeders")
def kiskin_farseeders(g: Scene) -> Asking[None]:
    """An own common may be placed next to any own piece."""
    yield from g.may_place(around(g.own()))


@being("charging-buck")
def charging_buck(g: Scene) -> Asking[None]:
    """Up to two combat leaps, each two squares far."""
    for _ in range(2):
        if (yield from g.may_leap(g.here, COMBAT, onto=g.at_distance(2))) is None:
            return


@being("forest-wardens")
def forest_wardens(g: Scene) -> Asking[None]:
    """Destroys a common of an enemy ahead in commons, then a heroic piece of one ahead in upgraded pieces."""
    yield from g.must_destroy(enemies_ahead(g, C) & g.pieces(C))
    yield from g.must_destroy(enemies_ahead(g, UPGRADED) & g.pieces(H))


@being("naiad")
def naiad(g: Scene) -> Asking[None]:
    """Up to two own pieces next to it may make a standard move each."""
    movers = g.own() & g.near
    step = yield from g.may_step(movers, STANDARD)
    if step is not None:
        yield from g.may_step(movers & ~(1 << step.to), STANDARD)


@being("kiskin-spirit")
def kiskin_spirit(g: Scene) -> Asking[None]:
    """A discarded card may go on top of the deck; if one does, or there is none, one more card is drawn."""
    pile = g.player.discards
    key = yield from g.may_choose([BEINGS[card].key for card in pile])
    if key:
        g.put_on_top(BEING[key])
    if key or not pile:
        g.draw_extra(beings=1)


@being("dryad")
def dryad(g: Scene) -> Asking[None]:
    """May convert an enemy common or heroic piece next to it into a common."""
    yield from g.may_convert(g.enemy(C | H) & g.near, COMMON)


@being("centaur-spearman")
def centaur_spearman(g: Scene) -> Asking[None]:
    """May make a combat move; then the next piece on that line is destroyed unless it is legendary."""
    step = yield from g.may_step(g.self, COMBAT)
    if step is not None:
        hit = g.first_on(step.to, step.direction, g.pieces())
        if hit != NOTHING and g.rank_at(hit) != LEGENDARY:
            g.destroy(hit)


@being("centaur-chieftain")
def centaur_chieftain(g: Scene) -> Asking[None]:
    """May make a combat move; then other own pieces up to three in the same direction."""
    step = yield from g.may_step(g.self, COMBAT)
    for _ in range(3):
        if step is None:
            return
        step = yield from g.may_go(g.runs(g.own() & ~g.self, COMBAT, (step.direction,), most=1))


@being("unicorn")
def unicorn(g: Scene) -> Asking[None]:
    """Either it may make a combat move, or one more action."""
    word = yield from g.choose(["move", "action"] if g.steps(g.self, COMBAT) else ["action"])
    if word == "move":
        yield from g.may_step(g.self, COMBAT)
    else:
        g.gain()


@being("sylvan-queen")
def sylvan_queen(g: Scene) -> Asking[None]:
    """May convert an enemy common or heroic piece at a corner."""
    yield from g.may_convert(g.enemy(C | H) & g.diagonal)


@being("sylvan-princess")
def sylvan_princess(g: Scene) -> Asking[None]:
    """May convert an enemy common at a corner."""
    yield from g.may_convert(g.enemy(C) & g.diagonal)


@being("woodland-druid")
def woodland_druid(g: Scene) -> Asking[None]:
    """A common of every colour is upgraded."""
    yield from must_upgrade_of_each(g, range(g.colours))


@being("forest-ancient")
def forest_ancient(g: Scene) -> Asking[None]:
    """Two enemy commons are put up to two squares away; for each, one of its colour is destroyed up to three away."""
    first = yield from must_put_enemy(g, g.within(2))
    second = yield from must_put_enemy(g, g.within(2))
    for colour in (first, second):
        if colour != NOTHING:
            yield from g.must_destroy(g.of(colour, C) & g.within(3))


@being("forest-mystic")
def forest_mystic(g: Scene) -> None:
    """One more card and one more legend are drawn."""
    g.draw_extra(beings=1, legends=1)


@being("kiskin-leafsplitter")
def kiskin_leafsplitter(g: Scene) -> Asking[None]:
    """Up to two shots: each destroys the first piece in a marked direction, whatever it is."""
    for _ in range(2):
        targets = 0
        for direction in g.marks.directions:
            hit = g.first_on(g.here, direction, g.pieces())
            targets |= 0 if hit == NOTHING else 1 << hit
        if (yield from g.may_destroy(targets)) == NOTHING:
            return


@being("kiskin-boughrunner")
def kiskin_boughrunner(g: Scene) -> Asking[None]:
    """Up to three combat moves, each to where it stands next to another own piece."""
    for _ in range(3):
        if (yield from g.may_step(g.self, COMBAT, onto=around(g.own() & ~g.self))) is None:
            return


@being("tree-shepherd")
def tree_shepherd(g: Scene) -> Asking[None]:
    """An own piece is picked: a common is upgraded, a heroic one may move in combat, a legendary one as standard."""
    square = yield from g.pick(g.own())
    rank = g.rank_at(square)
    if rank == COMMON:
        g.upgrade(square)
    else:
        yield from g.may_step(1 << square, COMBAT if rank == HEROIC else STANDARD)
