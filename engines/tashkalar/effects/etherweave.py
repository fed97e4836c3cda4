"""The Etherweave deck and its warp effects, which others of its beings copy (rules §16)."""

from __future__ import annotations

from typing import Final

from engines.tashkalar.board import ALL, COLOURLESS, NEIGHBOURS, STEP, around, bits, mask_of, opposite
from engines.tashkalar.cards import BEING, BEINGS
from engines.tashkalar.effects import WARPS, being, no_effect, resolve, warp
from engines.tashkalar.look import COMBAT, STANDARD
from engines.tashkalar.phrases import enemy_with_commons, may_swap, one_of
from engines.tashkalar.pieces import COMMON, LEGENDARY, NOTHING, UPGRADED, C, H, L, colour_of, rank_of
from engines.tashkalar.scene import ALL_DIRECTIONS, Asking, Scene

MERCHANT: Final = BEING["merchant-of-time"]
TAKE_BACK: Final = "take-back"


def can_leave(g: Scene) -> bool:
    """Whether there is a pending being that effects can copy, discard or take back, as they cannot the Merchant."""
    return g.player.pending not in (NOTHING, MERCHANT)


def may_discard_pending(g: Scene) -> Asking[None]:
    """The pending being may be discarded."""
    if can_leave(g) and (yield from g.may("discard-pending")):
        g.discard_pending()


@being("doppelganger")
def doppelganger(g: Scene) -> Asking[None]:
    """The warp effect of the pending being once more."""
    if can_leave(g):
        yield from resolve(WARPS[g.player.pending], g)


@being("paradox-worm")
def paradox_worm(g: Scene) -> Asking[None]:
    """An own common or heroic piece and an enemy one of its rank may change places."""
    yield from may_swap(g, [(a, b) for ranks in (C, H) for a in bits(g.own(ranks)) for b in bits(g.enemy(ranks))])


@warp("paradox-worm")
def paradox_worm_warp(g: Scene) -> Asking[None]:
    """Upgrades an enemy common; then the pending being may be discarded, which can be the Worm itself."""
    yield from g.must_upgrade(g.enemy(C))
    yield from may_discard_pending(g)


@being("lesser-shadow-twin")
def lesser_shadow_twin(g: Scene) -> Asking[None]:
    """With its twin among the discards up to two commons next to an own piece may be destroyed."""
    if BEING["greater-shadow-twin"] in g.player.discards:
        square = yield from g.pick(g.own() & around(g.pieces(C)))
        if square != NOTHING and (yield from g.may_destroy(g.pieces(C) & NEIGHBOURS[square])) != NOTHING:
            yield from g.may_destroy(g.pieces(C) & NEIGHBOURS[square])


@warp("lesser-shadow-twin")
@warp("greater-shadow-twin")
def twin_warp(g: Scene) -> Asking[None]:
    """Upgrades an own common."""
    yield from g.must_upgrade(g.own(C))


@being("translocationist")
def translocationist(g: Scene) -> Asking[None]:
    """Up to two times an own heroic piece and an own common may change places."""
    for _ in range(2):
        if not (yield from may_swap(g, [(a, b) for a in bits(g.own(H)) for b in bits(g.own(C))])):
            return


@warp("translocationist")
def translocationist_warp(g: Scene) -> None:
    """One more action."""
    g.gain()


no_effect("antimatter-spirit")


@warp("antimatter-spirit")
def antimatter_spirit_warp(g: Scene) -> Asking[None]:
    """An own common and one of another colour start from one colourless square in opposite directions, or neither."""
    square = yield from g.pick(mask_of(square for square in bits(g.placeable(COLOURLESS)) if opposite_ways(g, square)))
    if square == NOTHING:
        return
    g.place(square)
    step = yield from g.must_go(opposite_ways(g, square))
    assert step is not None
    g.place(square, COMMON, (yield from enemy_with_commons(g)))
    yield from g.must_go(g.runs(1 << square, COMBAT, (opposite(step.direction),), most=1))


def opposite_ways(g: Scene, square: int) -> list[tuple[int, int]]:
    """The combat moves of an own common from there that leave one of another colour, and a way to go, for after it."""
    free = ALL & ~g.barred(COMMON, COMBAT)
    spare = any(g.stock(enemy, COMMON) > 0 for enemy in g.enemies)
    ends = [(STEP[square][direction], STEP[square][opposite(direction)]) for direction in ALL_DIRECTIONS]
    return [
        (square, to)
        for to, back in ends
        if to is not None and back is not None and free >> to & free >> back & 1 and (spare or g.enemy(C) >> to & 1)
    ]


@being("merchant-of-time")
def merchant_of_time(g: Scene) -> Asking[None]:
    """The piece on the card makes a standard leap onto a colourless square."""
    piece = g.player.stored
    if piece != NOTHING:
        square = yield from g.pick(COLOURLESS & ~g.barred(rank_of(piece), STANDARD))
        g.release(square)


@warp("merchant-of-time")
def merchant_of_time_warp(g: Scene) -> Asking[None]:
    """Any piece is taken off a colourless square and put on the card."""
    square = yield from g.pick(g.pieces() & COLOURLESS)
    if square != NOTHING:
        g.store(square)


@being("gate-of-oblivion")
def gate_of_oblivion(g: Scene) -> Asking[None]:
    """Destroys any piece on the special square; may destroy a common or heroic one on another marked square."""
    g.destroy_all(g.marks.special)
    yield from g.may_destroy(g.pieces(C | H) & g.marked)


@warp("gate-of-oblivion")
def gate_of_oblivion_warp(g: Scene) -> None:
    """In this turn each destroyed piece counts as one more."""
    g.turn = g.turn._replace(double=g.turn.double + 1)


@being("time-traveler")
def time_traveler(g: Scene) -> Asking[None]:
    """May destroy a common next to it, and then puts its top discard on top of its deck."""
    if (yield from g.may_destroy(g.pieces(C) & g.near)) != NOTHING and g.player.discards:
        g.put_on_top(g.player.discards[-1])


@being("greater-shadow-twin")
def greater_shadow_twin(g: Scene) -> Asking[None]:
    """With its twin among the discards a heroic piece next to two own pieces or more may be destroyed."""
    if BEING["lesser-shadow-twin"] in g.player.discards:
        own = g.own()
        beset = (square for square in bits(g.pieces(H)) if (NEIGHBOURS[square] & own).bit_count() > 1)
        yield from g.may_destroy(mask_of(beset))


@being("warpmaster")
def warpmaster(g: Scene) -> Asking[None]:
    """The pending being may be taken back to hand, or else it may make a standard move."""
    words = (TAKE_BACK,) if can_leave(g) else ()
    found = yield from one_of(g, (*words, *g.steps(g.self, STANDARD)), optional=True)
    if found == TAKE_BACK:
        g.take_back()
    elif isinstance(found, tuple):
        yield from g.must_go((found,))


@being("dark-sphere")
def dark_sphere(g: Scene) -> Asking[None]:
    """Up to three common or heroic pieces, at most two of a colour, make a combat move to two squares away."""
    moved, moves = 0, [0] * g.colours
    for _ in range(3):
        movers = mask_of(at for colour in range(g.colours) if moves[colour] < 2 for at in bits(g.of(colour, C | H)))
        step = yield from g.may_step(movers & ~moved, COMBAT, onto=g.at_distance(2))
        if step is None:
            return
        moved |= 1 << step.to
        moves[colour_of(g.piece_at(step.to))] += 1


@being("void-summoner")
def void_summoner(g: Scene) -> None:
    """In the next summon of this turn up to two empty squares may stand in for own commons."""
    g.lend(empties=2)


@warp("void-summoner")
def void_summoner_warp(g: Scene) -> Asking[None]:
    """An own common or heroic piece makes a standard move."""
    yield from g.must_step(g.own(C | H), STANDARD)


@being("eternal-emperor")
def eternal_emperor(g: Scene) -> Asking[None]:
    """Its warp effect may be played now, unless it was in this turn."""
    if BEING["eternal-emperor"] not in g.turn.warped:
        yield from reign(g, optional=True)


@warp("eternal-emperor")
def eternal_emperor_warp(g: Scene) -> Asking[None]:
    """A common is placed, or a piece moves."""
    yield from reign(g, optional=False)


def reign(g: Scene, *, optional: bool) -> Asking[None]:
    """An own common is placed, or one makes a combat move, or a higher own piece makes a standard move."""
    ways = g.steps(g.own(C), COMBAT) + g.steps(g.own(UPGRADED), STANDARD)
    found = yield from one_of(g, (*bits(g.placeable(ALL)), *ways), optional=optional)
    if isinstance(found, int):
        g.place(found)
    elif isinstance(found, tuple):
        yield from g.must_go((found,))


@being("reality-patch")
def reality_patch(g: Scene) -> Asking[None]:
    """May destroy a heroic piece of each enemy colour; may discard the pending being; may discard a card in hand."""
    colours = set(g.enemies)
    while True:
        destroyed = yield from g.may_destroy(mask_of(at for colour in colours for at in bits(g.of(colour, H))))
        if destroyed == NOTHING:
            break
        colours.remove(colour_of(destroyed))
    yield from may_discard_pending(g)
    key = yield from g.may_choose(g.hand())
    if key:
        g.discard(key)


@being("polarity-queen")
def polarity_queen(g: Scene) -> Asking[None]:
    """Two other own pieces, common or heroic, make a combat move each in opposite directions, or neither moves."""
    movers = g.own(C | H) & ~g.self
    towards = [g.runs(movers, COMBAT, (direction,), most=1) for direction in ALL_DIRECTIONS]
    first = yield from g.must_go(
        [
            way
            for direction, ways in enumerate(towards)
            for way in ways
            if any(can_follow(g, way, other) for other in towards[opposite(direction)])
        ]
    )
    if first is not None:
        yield from g.must_go(g.runs(movers & ~(1 << first.to), COMBAT, (opposite(first.direction),), most=1))


def can_follow(g: Scene, first: tuple[int, int], then: tuple[int, int]) -> bool:
    """Whether of two moves that are both possible now, the other way each, the second is so after the first."""
    if then[0] in first:
        return False
    return then[1] != first[1] or g.rank_at(then[0]) >= g.rank_at(first[0])


@warp("polarity-queen")
def polarity_queen_warp(g: Scene) -> Asking[None]:
    """An own common is placed next to an enemy piece."""
    yield from g.must_place(around(g.enemy()))


@being("singularity")
def singularity(g: Scene) -> Asking[None]:
    """All commons next to an empty colourless square make a combat move onto it, one after the other."""
    square = yield from g.pick(g.empty & COLOURLESS)
    drawn = 0 if square == NOTHING else g.pieces(C) & NEIGHBOURS[square]
    while drawn:
        start = yield from g.pick(drawn)
        g.move(start, square)
        drawn &= ~(1 << start)


@being("ziggurat-sentinel")
def ziggurat_sentinel(g: Scene) -> Asking[None]:
    """A warp effect among the discards may be played, or else it may make up to three combat moves straight on."""
    warps = [BEINGS[card].key for card in g.player.discards if card in WARPS and card != MERCHANT]
    runs = g.runs(g.self, COMBAT, g.marks.directions, most=3)
    found = yield from one_of(g, (*warps, *runs), optional=True)
    if isinstance(found, str):
        yield from resolve(WARPS[BEING[found]], g)
    elif isinstance(found, tuple):
        g.run(*found)


@warp("ziggurat-sentinel")
def ziggurat_sentinel_warp(g: Scene) -> Asking[None]:
    """An own common or heroic piece makes either one combat move or two standard ones."""
    step = yield from g.must_step(g.own(C | H), COMBAT)
    if step is not None and not step.needed_combat:
        yield from g.may_step(1 << step.to, STANDARD)


@being("iris-of-eternity")
def iris_of_eternity(g: Scene) -> Asking[None]:
    """May destroy a legendary piece next to it or be upgraded: a legend summoned, for which those in hand go."""
    square = yield from g.may_pick(g.near & g.pieces(L) | g.upgradable(g.self))
    if square == NOTHING:
        return
    if square != g.here:
        g.destroy(square)
    elif g.upgrade(square) and g.rank_at(square) == LEGENDARY:
        g.count_as(LEGENDARY)
        for card in g.player.legends:
            g.discard(BEINGS[card].key)
