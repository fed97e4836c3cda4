"""Why a move is illegal: said only once `apply` has found that it is."""

from __future__ import annotations

import re
from typing import Final

from engines.coerceo.board import BLACK, FIELD_NAMES, NAMED_FIELDS, TARGETS, WHITE
from engines.coerceo.state import State, cost
from engines.coerceo.tables import TARGET_MASK, field_names
from engines.kit.game import IllegalMove

_MOVE: Final = re.compile(r"([a-e][1-5][a-f])-([a-e][1-5][a-f])", re.ASCII)
_EXCHANGE: Final = re.compile(r"x([a-e][1-5][a-f])", re.ASCII)
_FORMS: Final = "a move like d1e-d1c or an exchange like xc3f, without annotations"
_SIDE: Final = ("White", "Black")
_LETTERS: Final = ("a, c and e", "b, d and f")
_SHOWN: Final = 24


def explain(state: State, seat: int, move: str) -> IllegalMove:
    """What is wrong with the move, which rule says so and what would be taken."""
    if state.ending:
        return IllegalMove("the game is over", rule="rules §7", expected="no move")
    if seat != state.turn:
        return IllegalMove(f"{_SIDE[seat]} is not to move", rule="rules §4", expected=f"a move of {_SIDE[state.turn]}")
    parts = _MOVE.fullmatch(move)
    if parts:
        source, target = parts.groups()
        return _unknown(source, target) or _explain_move(state, source, target)
    parts = _EXCHANGE.fullmatch(move)
    if parts:
        return _unknown(parts[1]) or _explain_exchange(state, parts[1])
    shown = move if len(move) <= _SHOWN else move[:_SHOWN] + "..."
    return IllegalMove(f"{shown!r} is no notation for a move", rule="rules §2", expected=_FORMS)


def _unknown(*fields: str) -> IllegalMove | None:
    for field in fields:
        if field not in NAMED_FIELDS:
            return IllegalMove(
                f"there is no field {field}",
                rule="rules §2",
                expected="files a to e with 3, 4, 5, 4 and 3 tiles, counted from the bottom",
            )
    return None


def _on_board(state: State, field: str) -> bool:
    return bool(state.board >> NAMED_FIELDS[field][1] & 1)


def _missing(field: str) -> IllegalMove:
    return IllegalMove(f"tile {field[:2]} is no longer on the board", rule="rules §5", expected="a field of the board")


def _holds(state: State, field: str) -> int | None:
    """The colour of the piece on the field; None when it is empty."""
    colour, number = NAMED_FIELDS[field]
    return colour if (state.white, state.black)[colour] >> number & 1 else None


def _explain_move(state: State, source: str, target: str) -> IllegalMove:
    turn = state.turn
    if not _on_board(state, source):
        return _missing(source)
    piece = _holds(state, source)
    if piece != turn:
        what = f"{source} is empty" if piece is None else f"the piece on {source} is {_SIDE[piece]}'s"
        return IllegalMove(what, rule="rules §4 A", expected=f"a field with a piece of {_SIDE[turn]}")
    colour, number = NAMED_FIELDS[target]
    start = NAMED_FIELDS[source][1]
    expected = f"one of {_free(state, start)}"
    if colour != turn:
        what = f"{target} is a field of the other colour: {_SIDE[turn]} stands on {_LETTERS[turn]}"
        return IllegalMove(what, rule="rules §2", expected=expected)
    if number not in TARGETS[turn][start]:
        what = f"{target} does not touch {source} in one corner"
        return IllegalMove(what, rule="rules §2", expected=expected)
    if not _on_board(state, target):
        return _missing(target)
    return IllegalMove(f"{target} is occupied", rule="rules §4 A", expected=expected)


def _free(state: State, source: int) -> str:
    """The fields that the piece can move to, for people."""
    turn = state.turn
    own = (state.white, state.black)[turn]
    free = field_names(turn, TARGET_MASK[turn][source] & (state.board ^ own))
    return ", ".join(free) if free else f"another piece: that on {FIELD_NAMES[turn][source]} cannot move"


def _explain_exchange(state: State, field: str) -> IllegalMove:
    turn = state.turn
    price = cost(state.options)
    held = (state.stock_white, state.stock_black)[turn]
    enemy = BLACK if turn == WHITE else WHITE
    expected = f"a field with a piece of {_SIDE[enemy]}"
    if held < price:
        what = f"an exchange costs {price} and {_SIDE[turn]} holds {held}"
        return IllegalMove(what, rule="rules §4 B", expected="a move, until enough tiles are gained")
    if not _on_board(state, field):
        return _missing(field)
    if _holds(state, field) == turn:
        return IllegalMove(f"the piece on {field} is {_SIDE[turn]}'s own", rule="rules §4 B", expected=expected)
    return IllegalMove(f"there is no piece on {field}", rule="rules §4 B", expected=expected)
