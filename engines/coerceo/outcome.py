"""When the game ends and how (rules §7)."""

from __future__ import annotations

from typing import Final

from engines.coerceo.board import BLACK, WHITE
from engines.coerceo.state import DEAD_POSITION, Ending, State, cost
from engines.kit.game import Outcome, Placement


def _won(seat: int, reason: str) -> Outcome:
    places = ((WHITE, 1 if seat == WHITE else 2), (BLACK, 1 if seat == BLACK else 2))
    return Outcome(tuple(Placement(*place) for place in places), reason)


def _drawn(reason: str) -> Outcome:
    return Outcome((Placement(WHITE, 1), Placement(BLACK, 1)), reason)


OUTCOMES: Final[tuple[Outcome | None, ...]] = (
    None,
    _won(WHITE, "no_pieces"),
    _won(BLACK, "no_pieces"),
    _won(WHITE, "resigned"),
    _won(BLACK, "resigned"),
    _drawn("no_action"),
    _drawn("repetition"),
    _drawn("dead_position"),
)
"""By `Ending`."""

_NOBODY: Final[frozenset[int]] = frozenset()
_SEATS: Final = (frozenset((WHITE,)), frozenset((BLACK,)))


def outcome(state: State) -> Outcome | None:
    """How the game ended; None while it goes on."""
    return OUTCOMES[state.ending]


def awaited(state: State) -> frozenset[int]:
    """The seat to move; nobody when the game is over."""
    return _NOBODY if state.ending else _SEATS[state.turn]


def no_action(pieces: int, board: int, stock: int, options: int) -> bool:
    """The side to move can do nothing: its colour's fields are all its own, and it cannot pay for an exchange [R]."""
    return pieces == board and stock < cost(options)


def dead(white: int, black: int, board: int, stocks: tuple[int, int], options: int) -> bool:
    """Nobody can ever capture: one piece each, and too few tiles left to be won for an exchange [R]."""
    if white & (white - 1) or black & (black - 1):
        return False
    return board.bit_count() // 3 - 1 + max(stocks) < cost(options)


def ending_of(state: State) -> Ending:
    """How a position ends the game by itself, without regard to what went before."""
    if not state.black:
        return Ending.WHITE_WON
    if not state.white:
        return Ending.BLACK_WON
    stocks = (state.stock_white, state.stock_black)
    pieces = (state.white, state.black)[state.turn]
    if no_action(pieces, state.board, stocks[state.turn], state.options):
        return Ending.NO_ACTION
    if state.options & DEAD_POSITION and dead(state.white, state.black, state.board, stocks, state.options):
        return Ending.DEAD_POSITION
    return Ending.NONE
