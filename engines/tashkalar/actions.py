"""What a seat can do in its turn, as things that ask (rules §6 to §8, §16)."""

from __future__ import annotations

from engines.tashkalar.cards import BEINGS
from engines.tashkalar.closing import end
from engines.tashkalar.effects import EFFECTS, FROZEN, HALVES, WARPS, resolve
from engines.tashkalar.images import marks
from engines.tashkalar.legal import Placing, halves
from engines.tashkalar.notation import Head, Kind
from engines.tashkalar.opening import set_first
from engines.tashkalar.pieces import COMMON, HEROIC, NOTHING
from engines.tashkalar.scene import Asking, Scene
from engines.tashkalar.state import Bonus, Summoned, without
from engines.tashkalar.summoning import IMPROVISED, Way, liftable


def place(g: Scene, placing: Placing) -> None:
    """An own common is placed; for want of counters another own piece is lifted first (rules §6)."""
    g.actions -= 1
    if placing.lifted != NOTHING:
        g.lift(placing.lifted)
    g.place(placing.square)


def summon(g: Scene, card: int, way: Way) -> Asking[None]:
    """A being is summoned and its effect resolved (rules §7)."""
    being = BEINGS[card]
    g.actions -= 1
    g.card = card
    _play(g, card)
    lifted = yield from g.pick(liftable(g, being, way))
    if lifted != NOTHING:
        g.lift(lifted)
    g.tell("summoned", way.square, card)
    for square, mark in way.lent:
        if mark == IMPROVISED:
            g.improvise(square)
    if g.piece_at(way.square) != NOTHING:
        g.crushed = g.destroy(way.square)
    g.put(way.square, 3 * g.me + being.rank)
    g.here = way.square
    g.pattern = way.needed & ~g.empty & ~g.self
    g.marks = marks(card, way.square, way.image)
    g.turn = g.turn._replace(
        summoned=(*g.turn.summoned, Summoned(way.square, being.rank)),
        bonus=Bonus(),
    )
    if being.deck == "nethervoid":
        _open_gateway(g)
    yield from resolve(EFFECTS[card], g)
    yield from put_away(g, card)


def _play(g: Scene, card: int) -> None:
    """The card leaves the hand, or the place of the pending being."""
    player = g.player
    if card in player.legends:
        g.player = player._replace(legends=without(player.legends, card))
    elif card in player.beings:
        g.player = player._replace(beings=without(player.beings, card))
    else:
        g.player = player._replace(pending=NOTHING)


def _open_gateway(g: Scene) -> None:
    """A Nethervoid being becomes the Gateway when there is none, a heroic one also when that is common (rules §16)."""
    heroic = g.rank_at(g.here) == HEROIC
    if g.gateway == NOTHING or (heroic and g.rank_at(g.gateway) == COMMON):
        g.open_gateway(g.here)


def put_away(g: Scene, card: int) -> Asking[None]:
    """The effect is over: the card is discarded, or stays in front of the seat as its frozen effect (rules §16)."""
    if g.keeps_card:
        return
    if BEINGS[card].frozen:
        yield from g.freeze(card)
    else:
        g.to_discards(card)


def discard(g: Scene, card: int) -> Asking[None]:
    """A being is discarded; then cards of the hand may go under their decks, each under those before (rules §6)."""
    g.actions -= 1
    g.turn = g.turn._replace(discarded=True)
    g.discard(BEINGS[card].key)
    while True:
        key = yield from g.may_choose(g.hand())
        if not key:
            return
        g.put_under(key)


def flare(g: Scene, card: int) -> Asking[None]:
    """A flare is invoked against one enemy: the halves whose criteria hold are resolved (rules §8)."""
    enemy = yield from g.colour([enemy for enemy in g.enemies if halves(g, card, enemy)])
    found = halves(g, card, enemy)
    g.player = g.player._replace(flares=without(g.player.flares, card))
    g.tell("invoked", card, enemy)
    g.give_point(enemy)
    for half in found:
        yield from resolve(HALVES[card, half], g)
    g.flare_discards = (*g.flare_discards, card)


def thaw(g: Scene, card: int) -> Asking[None]:
    """The frozen effect is resolved and its card discarded (rules §16)."""
    g.card = card
    g.player = g.player._replace(frozen=NOTHING)
    g.tell("thawed", card)
    yield from resolve(FROZEN[card], g)
    g.to_discards(card)


def warp(g: Scene, card: int) -> Asking[None]:
    """A warp effect is resolved, and its card becomes the pending being (rules §16)."""
    g.card = card
    g.turn = g.turn._replace(warped=(*g.turn.warped, card))
    g.player = g.player._replace(beings=without(g.player.beings, card), pending=card)
    g.tell("warped", card)
    yield from resolve(WARPS[card], g)


def start(g: Scene, head: Head, found: Way | Placing | None) -> Asking[None] | None:
    """The move that the head begins; `found` is what `legal.check` made of it."""
    if isinstance(found, Placing):
        place(g, found)
        return None
    if isinstance(found, Way):
        return summon(g, head.card, found)
    if head.kind is Kind.DISCARD:
        return discard(g, head.card)
    if head.kind is Kind.FLARE:
        return flare(g, head.card)
    if head.kind is Kind.THAW:
        return thaw(g, head.card)
    if head.kind is Kind.WARP:
        return warp(g, head.card)
    if head.kind is Kind.SET:
        return set_first(g)
    if head.kind is Kind.PASS:
        return None
    return end(g)
