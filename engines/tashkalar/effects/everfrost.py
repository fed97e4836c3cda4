"""The Everfrost deck, with frozen effects (rules §16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.tashkalar.board import NEIGHBOURS, around, bits
from engines.tashkalar.cards import BEING, BEINGS
from engines.tashkalar.effects import being, frozen, no_effect
from engines.tashkalar.hand import FLARE
from engines.tashkalar.look import COMBAT, FREE, STANDARD
from engines.tashkalar.phrases import enemy_with_commons, must_upgrade_of_each
from engines.tashkalar.pieces import COMMON, NOTHING, C, H, L, colour_of
from engines.tashkalar.scene import ALL_DIRECTIONS, Asking, Scene
from engines.tashkalar.state import without

BESIDE: Final = (0, 1, 3)
"""By rank: how many own pieces, the Deathbringer not among them, must stand next to what it destroys."""


@being("snow-fox")
def snow_fox(g: Scene) -> Asking[None]:
    """Up to two standard moves."""
    yield from g.may_steps(2, lambda: g.self, STANDARD)


@being("royal-reindeer")
def royal_reindeer(g: Scene) -> Asking[None]:
    """May make a combat leap two squares far; is upgraded if neither that nor the summon destroyed a piece."""
    leap = yield from g.may_leap(g.here, COMBAT, onto=g.at_distance(2))
    if g.crushed == NOTHING and (leap is None or leap.captured == NOTHING):
        g.upgrade(g.here)


@being("crystal-mirror")
def crystal_mirror(g: Scene) -> Asking[None]:
    """One heroic piece or up to two commons on marked squares may be mirrored, whosever they are."""
    first = yield from _may_mirror(g, C | H)
    if first == COMMON:
        yield from _may_mirror(g, C)


def _may_mirror(g: Scene, ranks: int) -> Asking[int]:
    """An own piece may be placed on a mirror square, of the rank of the piece it mirrors; returns that, or NOTHING."""
    mirrors = dict(g.marks.mirrored)
    shown = [square for square in bits(g.marked & g.pieces(ranks)) if square in mirrors]
    ready = [square for square in shown if g.placeable(1 << mirrors[square], g.rank_at(square))]
    square = yield from g.may_pick(sum(1 << square for square in ready))
    if square == NOTHING:
        return NOTHING
    g.place(mirrors[square], g.rank_at(square))
    return g.rank_at(square)


@being("crystal-grower")
def crystal_grower(g: Scene) -> Asking[None]:
    """A common of each enemy colour is upgraded."""
    yield from must_upgrade_of_each(g, g.enemies)


@frozen("crystal-grower")
def growing(g: Scene) -> Asking[None]:
    """An own common is upgraded."""
    yield from g.must_upgrade(g.own(C))


@being("ice-princess")
def ice_princess(g: Scene) -> Asking[None]:
    """Another own common may make a combat move."""
    yield from g.may_step(g.own(C) & ~g.self, COMBAT)


@frozen("ice-princess")
def a_common_moves(g: Scene) -> Asking[None]:
    """An own common makes a standard move."""
    yield from g.must_step(g.own(C), STANDARD)


@being("ice-queen")
def ice_queen(g: Scene) -> Asking[None]:
    """Another own heroic piece may make a combat move."""
    yield from g.may_step(g.own(H) & ~g.self, COMBAT)


@frozen("ice-queen")
def a_heroic_piece_moves(g: Scene) -> Asking[None]:
    """An own heroic piece makes a standard move."""
    yield from g.must_step(g.own(H), STANDARD)


no_effect("frostweave-summoner")


@frozen("frostweave-summoner")
def an_enemy_in_the_pattern(g: Scene) -> None:
    """In the next summon of this turn an enemy piece may stand in for an own one.

    Nothing that can come between changes what thawing it right before that summon would give.
    """
    g.lend(enemies=1)


no_effect("winter-whisperer")


@frozen("winter-whisperer")
def whispering(g: Scene) -> Asking[None]:
    """An own common may be destroyed and the flare discarded; both together give an action."""
    destroyed = yield from g.may_destroy(g.own(C))
    flare = yield from g.may_choose([key for key in g.hand() if key in FLARE])
    if flare:
        g.discard(flare)
        if destroyed != NOTHING:
            g.gain()


@being("frozen-chest")
def frozen_chest(g: Scene) -> Asking[None]:
    """A frozen effect may come from the discard pile into play; of two one is kept."""
    pile = g.player.discards
    key = yield from g.may_choose([BEINGS[card].key for card in pile if BEINGS[card].frozen])
    if key:
        g.player = g.player._replace(discards=without(pile, BEING[key]))
        yield from g.freeze(BEING[key])


@being("everfrost-sentinel")
def everfrost_sentinel(g: Scene) -> Asking[None]:
    """If the summon destroyed an enemy it may be downgraded, for an action less in each enemy's next turn."""
    if g.crushed != NOTHING and colour_of(g.crushed) != g.me and (yield from g.may("downgrade")):
        g.downgrade(g.here)
        g.delay()


@being("glacier-giant")
def glacier_giant(g: Scene) -> Asking[None]:
    """May make combat moves straight on in a marked direction, and one more onto a legendary piece, destroying both."""
    run = yield from g.may_run(g.self, COMBAT, g.marks.directions)
    if run:
        onto = g.near & g.ray(g.here, run[-1].direction) & g.pieces(L)
        if (yield from g.may_go([(g.here, square) for square in bits(onto)])) is not None:
            g.destroy(g.here)


@being("polar-bear")
def polar_bear(g: Scene) -> Asking[None]:
    """May make a combat move, a standard move if that captured, and a move onto an empty square if that did too."""
    for how in (COMBAT, STANDARD, FREE):
        step = yield from g.may_step(g.self, how)
        if step is None or step.captured == NOTHING:
            return


@being("war-sled")
def war_sled(g: Scene) -> Asking[None]:
    """Up to three combat moves, the first in a marked direction, each later one turned by 45 degrees at most."""
    directions: Sequence[int] = g.marks.directions
    for _ in range(3):
        run = yield from g.may_run(g.self, COMBAT, directions, most=1)
        if not run:
            return
        directions = [(run[0].direction + turn) % 8 for turn in (-1, 0, 1)]


@being("snow-monster")
def snow_monster(g: Scene) -> None:
    """Destroys all enemy commons up to two squares away that are next to an own piece."""
    g.destroy_all(g.enemy(C) & g.within(2) & around(g.own()))


@being("frost-imp")
def frost_imp(g: Scene) -> Asking[None]:
    """A common next to it, whosever it is, may be sent straight on as far as standard moves take it."""
    commons = list(bits(g.near & g.pieces(C)))
    paths = [(square, g.path(square, direction, STANDARD)) for square in commons for direction in ALL_DIRECTIONS]
    yield from g.may_run_along([(square, path[-1]) for square, path in paths if path])


@being("ice-wyvern")
def ice_wyvern(g: Scene) -> Asking[None]:
    """May make a combat leap, and is destroyed if that captured something."""
    leap = yield from g.may_leap(g.here, COMBAT)
    if leap is not None and leap.captured != NOTHING:
        g.destroy(g.here)


@frozen("ice-wyvern")
def a_common_beside_a_heroic_piece(g: Scene) -> Asking[None]:
    """An own common is placed next to an own heroic piece."""
    yield from g.must_place(around(g.own(H)))


@being("deathbringer")
def deathbringer(g: Scene) -> Asking[None]:
    """May destroy a piece next to it, for good and counted twice: the higher, the more own pieces must stand by."""
    targets = 0
    for square in bits(g.near & g.pieces()):
        beside = NEIGHBOURS[square] & g.own() & ~g.self
        if beside.bit_count() >= BESIDE[g.rank_at(square)]:
            targets |= 1 << square
    square = yield from g.may_pick(targets)
    if square != NOTHING:
        g.banish(square)


@being("frostweave-illusionist")
def frostweave_illusionist(g: Scene) -> Asking[None]:
    """Is replaced by a common of an enemy colour."""
    colour = yield from enemy_with_commons(g)
    if colour != NOTHING:
        square = g.here
        g.lift(square)
        g.place(square, COMMON, colour)


@frozen("frostweave-illusionist")
def a_conversion(g: Scene) -> Asking[None]:
    """An enemy common is converted."""
    square = yield from g.pick(g.convertible(g.enemy(C)))
    if square != NOTHING:
        g.convert(square)
