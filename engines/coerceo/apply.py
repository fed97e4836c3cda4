"""A turn: move or exchange, then tiles, then captures, then the end of the game (rules §4 to §8).

`play` is what replay is made of: it handles the quiet move, by far the most frequent, by itself and without calls.
"""

from __future__ import annotations

from collections.abc import Sequence

from engines.coerceo.cura import threatens
from engines.coerceo.effects import effects
from engines.coerceo.facts import ENDED, told
from engines.coerceo.outcome import dead, no_action
from engines.coerceo.refusals import explain
from engines.coerceo.state import CURA, DEAD_POSITION, NO_MARKS, REPETITION, Ending, State, cost, occurrences
from engines.coerceo.tables import EXCHANGES, ROWS
from engines.kit.game import Fact
from engines.kit.tuples import new

_NOTHING: tuple[Fact, ...] = ()


def play(state: State, seat: int, move: str) -> tuple[State, Sequence[Fact]]:
    """The state after the seat's move or exchange, and what it did. Raises `IllegalMove`."""
    white, black, board, stock_white, stock_black, turn, ply, options, ending, _, path, marks, count = state
    row = ROWS[turn].get(move)
    if row is None or seat != turn or ending:
        return _exchange(state, seat, move)
    source, target, jump, home, ring, removable, near, enclosed, flip, code, tile = row
    if turn:
        own = black
        other = white
    else:
        own = white
        other = black
    vacant = board ^ own
    if not source & own or not target & vacant:
        raise explain(state, seat, move)
    own ^= jump
    if not (own | other) & home and board & ring in removable:
        return _settle(state, own, other, tile, near, None)
    if near & other:
        vacant ^= jump
        for enemy, around in enclosed:
            if enemy & other and not around & vacant:
                return _settle(state, own, other, tile, near, None)
    facts = _NOTHING
    cura = False
    if options & REPETITION:
        mark = chr(ord(marks[-1]) ^ flip)
        path += code
        count = 1
        if mark in marks:
            count = occurrences(path, 1 - turn)
            if count == 3:
                ending = int(Ending.REPETITION)
                facts = ENDED[ending]
        marks += mark
    if other == board and no_action(other, board, stock_white if turn else stock_black, options):
        ending = int(Ending.NO_ACTION)
        facts = ENDED[ending]
    if options & CURA and not ending and threatens(own, other, board, turn):
        cura = True
        facts = told(turn, None, (), 0, True, ending)
    if turn:
        return new(
            State,
            (other, own, board, stock_white, stock_black, 0, ply + 1, options, ending, cura, path, marks, count),
        ), facts
    return new(
        State, (own, other, board, stock_white, stock_black, 1, ply + 1, options, ending, cura, path, marks, count)
    ), facts


def _exchange(state: State, seat: int, move: str) -> tuple[State, Sequence[Fact]]:
    turn = state.turn
    number = EXCHANGES[1 - turn].get(move)
    if number is None or seat != turn or state.ending:
        raise explain(state, seat, move)
    own, other, stock = (
        (state.black, state.white, state.stock_black) if turn else (state.white, state.black, state.stock_white)
    )
    if not other >> number & 1 or stock < cost(state.options):
        raise explain(state, seat, move)
    return _settle(state, own, other ^ 1 << number, number // 3, 0, number)


def _settle(
    state: State, own: int, other: int, left: int, suspects: int, taken: int | None
) -> tuple[State, Sequence[Fact]]:
    """The state after a turn that cannot be reversed: `taken` is the field of an exchange."""
    turn = state.turn
    options = state.options
    other, board, removed, captured = effects(own, other, state.board, turn, left, suspects)
    stock_white = state.stock_white
    stock_black = state.stock_black
    gain = len(removed) if taken is None else -cost(options)
    if turn:
        stock_black += gain
    else:
        stock_white += gain
    ending = 0
    if not other:
        ending = int(Ending.BLACK_WON if turn else Ending.WHITE_WON)
    elif no_action(other, board, stock_white if turn else stock_black, options):
        ending = int(Ending.NO_ACTION)
    elif options & DEAD_POSITION and dead(own, other, board, (stock_white, stock_black), options):
        ending = int(Ending.DEAD_POSITION)
    cura = bool(options & CURA) and not ending and threatens(own, other, board, turn)
    white, black = (other, own) if turn else (own, other)
    count = 1 if options & REPETITION else 0
    ply = state.ply + 1
    after = new(
        State,
        (white, black, board, stock_white, stock_black, 1 - turn, ply, options, ending, cura, b"", NO_MARKS, count),
    )
    return after, told(turn, taken, removed, captured, cura, ending)


def leave(state: State, seat: int) -> State:
    """The state after the seat resigned or its time ran out: the other side has won. A finished game stays as it is."""
    if state.ending:
        return state
    return state._replace(ending=int(Ending.BLACK_LEFT if seat else Ending.WHITE_LEFT), cura=False)
