"""The legal ways to go on with a move, part by part: a piece and where it goes, or `x` and the piece to take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.coerceo.board import COLOURS, FIELD_NAMES, NAMED_FIELDS
from engines.coerceo.state import State, cost
from engines.coerceo.tables import EXCHANGES, MOVES_FROM, STEPS, TARGET_MASK, members
from engines.kit.game import Choice

_SOURCES: Final = tuple(tuple(Choice(f"{name}-", (f"field:{name}",), False) for name in names) for names in FIELD_NAMES)
_MOVES: Final = tuple({text: Choice(text, (f"field:{text[4:]}",)) for text in STEPS[colour]} for colour in COLOURS)
_TAKES: Final = tuple(tuple(Choice(text, (f"field:{text[1:]}",)) for text in texts) for texts in EXCHANGES)
_EXCHANGE: Final = tuple(Choice("x", (f"stock:{seat}",), False) for seat in COLOURS)


def choices(state: State, seat: int, prefix: str = "") -> Sequence[Choice]:
    """The parts that can follow `prefix`, which may also be the beginning of a part; empty when nothing begins so.

    First parts are `d1e-` (target `field:d1e`) and `x` (target `stock:<seat>`), neither a move yet; after them
    `d1e-d1c` and `xc3f`, which are, with the second field as target.
    """
    if state.ending or seat != state.turn:
        return ()
    if not prefix:
        return _first(state)
    if prefix[0] == "x":
        found = _takes(state)
    elif len(prefix) >= 4:
        found = _moves(state, prefix[:4])
    else:
        found = _first(state)
    return [choice for choice in found if choice.text.startswith(prefix) and choice.text != prefix]


def legal_moves(state: State) -> list[str]:
    """All legal moves of the side to move, complete; none when the game is over."""
    if state.ending:
        return []
    turn = state.turn
    own = (state.white, state.black)[turn]
    vacant = state.board ^ own
    masks = TARGET_MASK[turn]
    texts = MOVES_FROM[turn]
    moves: list[str] = []
    for source in members(own):
        moves += texts[source][masks[source] & vacant]
    if can_exchange(state):
        moves.extend(choice.text for choice in _takes(state))
    return moves


def can_exchange(state: State) -> bool:
    """The side to move holds the tiles that an exchange costs."""
    return (state.stock_white, state.stock_black)[state.turn] >= cost(state.options)


def _first(state: State) -> list[Choice]:
    turn = state.turn
    own = (state.white, state.black)[turn]
    vacant = state.board ^ own
    masks = TARGET_MASK[turn]
    sources = _SOURCES[turn]
    found = [sources[source] for source in members(own) if masks[source] & vacant]
    if can_exchange(state):
        found.append(_EXCHANGE[turn])
    return found


def _moves(state: State, source: str) -> list[Choice]:
    turn = state.turn
    colour, number = NAMED_FIELDS.get(source[:3], (-1, 0))
    own = (state.white, state.black)[turn]
    if colour != turn or source[3] != "-" or not own >> number & 1:
        return []
    known = _MOVES[turn]
    return [known[text] for text in MOVES_FROM[turn][number][TARGET_MASK[turn][number] & (state.board ^ own)]]


def _takes(state: State) -> list[Choice]:
    if not can_exchange(state):
        return []
    enemy = 1 - state.turn
    takes = _TAKES[enemy]
    return [takes[number] for number in members((state.white, state.black)[enemy])]
