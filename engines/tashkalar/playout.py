"""Random play without lists of choices, for searches and for measuring. Every legal move can come.

What is done is drawn first among what the seat could begin, then where, then each answer, so that no begun move is run
but the one that is made.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from engines.kit.game import Draw, Fact
from engines.tashkalar.apply import made
from engines.tashkalar.board import bits
from engines.tashkalar.legal import Placing, against, can_place, kinds, placings, summonable
from engines.tashkalar.notation import Head, Kind
from engines.tashkalar.pieces import COMMON, NOTHING
from engines.tashkalar.run import Run
from engines.tashkalar.scene import Scene
from engines.tashkalar.state import NOBODY, State
from engines.tashkalar.summoning import Way, ways
from engines.tashkalar.tree import Tree


def step(state: State, chance: random.Random, draw: Draw) -> tuple[State, Sequence[Fact]]:
    """The state after a random move of the seat that acts, of which there must be one, and what it did.

    Control is never passed.
    """
    tree = Tree(state)
    return made(tree, drawn(tree, chance), state.actor(), draw)


def drawn(tree: Tree, chance: random.Random) -> Run:
    """A random whole move."""
    state = tree.state
    if state.setter != NOBODY:
        run = Run(Head(Kind.SET), None, Scene(state, state.setter))
    elif tree.base is not None:
        run = tree.base
    else:
        look = Scene(state, state.turn.seat)
        head, way = _begun(look, chance)
        run = Run(head, way, look)
    while run.request is not None:
        options, optional = run.request
        at = _below(len(options) + optional, chance)
        run.answer(None if at == len(options) else options[at])
    return run


def _below(count: int, chance: random.Random) -> int:
    return int(chance.random() * count)


def _begun(look: Scene, chance: random.Random) -> tuple[Head, Way | Placing | None]:
    """Something the seat can begin, drawn with equal chances from all kinds and cards that it could begin with."""
    heads = _heads(look, chance)
    while heads:
        at = _below(len(heads), chance)
        head = heads[at]
        heads[at] = heads[-1]
        heads.pop()
        if head.kind is Kind.PLACE:
            return head, _placing(look, chance)
        if against(look, head.kind, head.card) is not None:
            continue
        if head.kind is not Kind.SUMMON:
            return head, None
        found = ways(look, head.card)
        if found:
            return head, found[_below(len(found), chance)]
    return Head(Kind.END), None


def _heads(look: Scene, chance: random.Random) -> list[Head]:
    """What could be begun, by kind and card; whether patterns match and criteria hold is not looked at."""
    allowed, player = kinds(look.before), look.player
    heads = []
    if look.actions:
        if can_place(look):
            heads.append(Head(Kind.PLACE))
        if Kind.SUMMON in allowed:
            heads += [Head(Kind.SUMMON, card) for card in summonable(look)]
            if player.beings:
                heads.append(Head(Kind.DISCARD, player.beings[_below(len(player.beings), chance)]))
    if Kind.FLARE in allowed:
        heads += [Head(Kind.FLARE, card) for card in player.flares]
        if player.frozen != NOTHING:
            heads.append(Head(Kind.THAW, player.frozen))
        heads += [Head(Kind.WARP, card) for card in player.beings]
    return heads


def _placing(look: Scene, chance: random.Random) -> Placing:
    if look.stock(look.me, COMMON) > 0:
        squares = list(bits(look.empty))
        return Placing(squares[_below(len(squares), chance)], NOTHING)
    found = placings(look)
    return found[_below(len(found), chance)]
