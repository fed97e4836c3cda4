"""The legal ways to go on with a move, part by part: what is done, with which card, where, then each answer.

`P:` and `S:herald@` only begin; `P:e5` is a move; `S:herald@e5r2` is one if its effect asks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.kit.game import Choice, IllegalMove
from engines.tashkalar.board import NAMES
from engines.tashkalar.cards import BEINGS, FLARES
from engines.tashkalar.legal import against, can_act, can_place, kinds, placings, summonable, write_placing
from engines.tashkalar.listing import Listing, texts
from engines.tashkalar.notation import PASSING, SEPARATOR, Head, Kind, read_head, targets, write
from engines.tashkalar.pieces import NOTHING
from engines.tashkalar.run import Run
from engines.tashkalar.scene import Option, Scene
from engines.tashkalar.state import State
from engines.tashkalar.summoning import ways
from engines.tashkalar.tree import Tree, tree_of

_PLACE: Final = Choice("P:", (), False)
_DISCARD: Final = Choice("D:", (), False)
_SUMMON: Final = tuple(Choice(f"S:{being.key}@", (f"card:{being.key}",), False) for being in BEINGS)
_PLACES: Final = tuple(Choice(f"P:{name}", (f"square:{name}",)) for name in NAMES)
_PASS: Final = Choice(PASSING)


def choices(state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
    """The parts that can follow `prefix`, which may also be the beginning of a part; empty when nothing begins so."""
    if seat != state.actor():
        return ()
    tree = tree_of(state)
    found = tree.lists.get(prefix)
    if found is None:
        found = tree.lists[prefix] = _following(tree, prefix)
    return found


def _following(tree: Tree, prefix: str) -> Sequence[Choice]:
    if not prefix:
        return _first(tree)
    found = _after(tree, prefix)
    if found:
        return found
    before, separator, _ = prefix.rpartition(SEPARATOR)
    parts = _after(tree, before) if separator else _first(tree)
    able = [at for at, text in enumerate(texts(parts)) if text.startswith(prefix) and text != prefix]
    return [parts[at] for at in able]


def _first(tree: Tree) -> Sequence[Choice]:
    state = tree.state
    allowed = kinds(state)
    if Kind.GO in allowed:
        return _answers(tree, Kind.GO.value, tree.find(Kind.GO.value))
    if Kind.SET in allowed:
        return [_begun(tree, Head(Kind.SET), Kind.SET.value, ())]
    look = Scene(state, state.turn.seat)
    found: list[Choice] = []
    if look.actions:
        if can_place(look):
            found.append(_PLACE)
        if Kind.SUMMON in allowed:
            found += [_SUMMON[card] for card in summonable(look) if ways(look, card)]
            if any(against(look, Kind.DISCARD, card) is None for card in look.player.beings):
                found.append(_DISCARD)
    found += [_with_card(tree, kind, card) for kind, card in _free(look)]
    if Kind.PASS in allowed:
        found.append(_PASS)
    if Kind.END in allowed and not can_act(look):
        found.append(_begun(tree, Head(Kind.END), Kind.END.value, ()))
    return found


def _free(look: Scene) -> list[tuple[Kind, int]]:
    """Moves that cost no action: flares, thawing, warping."""
    player = look.player
    wanted = [(Kind.FLARE, card) for card in player.flares]
    if player.frozen != NOTHING:
        wanted.append((Kind.THAW, player.frozen))
    wanted += [(Kind.WARP, card) for card in dict.fromkeys(player.beings) if BEINGS[card].warp]
    return [(kind, card) for kind, card in wanted if against(look, kind, card) is None]


def _with_card(tree: Tree, kind: Kind, card: int) -> Choice:
    key = FLARES[card].key if kind is Kind.FLARE else BEINGS[card].key
    return _begun(tree, Head(kind, card), f"{kind}:{key}", (f"card:{key}",))


def _begun(tree: Tree, head: Head, text: str, touched: tuple[str, ...]) -> Choice:
    return Choice(text, touched, tree.begun(text, head, None).request is None)


def _after(tree: Tree, prefix: str) -> Sequence[Choice]:
    """What follows a whole part; empty when the prefix is none, or a whole move."""
    look = Scene(tree.state, tree.state.actor())
    allowed = kinds(tree.state)
    if prefix == _PLACE.text:
        return _placed(look) if look.actions and Kind.PLACE in allowed else []
    if prefix == _DISCARD.text:
        cards = [card for card in look.player.beings if against(look, Kind.DISCARD, card) is None]
        return [_with_card(tree, Kind.DISCARD, card) for card in dict.fromkeys(cards)]
    if prefix.endswith("@"):
        head = read_head(prefix)
        if head is None or against(look, Kind.SUMMON, head.card) is not None:
            return []
        return _summoned(tree, look, head.card)
    try:
        found = tree.find(prefix)
    except IllegalMove:
        return []
    return _answers(tree, prefix, found)


def _placed(look: Scene) -> list[Choice]:
    found = []
    for placing in placings(look):
        if placing.lifted == NOTHING:
            found.append(_PLACES[placing.square])
        else:
            touched = (f"square:{NAMES[placing.lifted]}", f"square:{NAMES[placing.square]}")
            found.append(Choice(f"P:{write_placing(placing)}", touched))
    return found


def _summoned(tree: Tree, look: Scene, card: int) -> Sequence[Choice]:
    key = BEINGS[card].key
    found = ways(look, card)
    names = [f"S:{key}@{way.text}" for way in found]

    def make(at: int) -> Choice:
        way = found[at]
        run = tree.begun(names[at], Head(Kind.SUMMON, card, way.text), way)
        squares = (way.square, *(square for square, _ in way.lent))
        touched = (f"card:{key}", *(f"square:{NAMES[square]}" for square in squares))
        return Choice(names[at], touched, run.request is None)

    return Listing(names, make)


def _answers(tree: Tree, text: str, at: Run) -> Sequence[Choice]:
    request = at.request
    if request is None:
        return []
    options: list[Option | None] = [*request.options]
    if request.optional:
        options.append(None)
    wholes = [f"{text}{SEPARATOR}{write(option)}" for option in options]
    if tree.can_pass(at):
        wholes.append(f"{text}{SEPARATOR}{PASSING}")

    def make(index: int) -> Choice:
        if index == len(options):
            return Choice(wholes[index])
        option = options[index]
        return Choice(wholes[index], targets(option), _ends(tree, wholes[index], at, option))

    return Listing(wholes, make)


def _ends(tree: Tree, text: str, at: Run, option: Option | None) -> bool:
    """Whether the answer makes the move whole. A discard asks for one card of the hand after another: none is run."""
    if at.head.kind is Kind.DISCARD:
        assert at.request is not None
        return option is None or len(at.request.options) == 1
    return tree.gone_on(text, at, option).request is None
