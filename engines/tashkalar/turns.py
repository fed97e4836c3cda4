"""How turns end and follow each other, and how the game ends (rules §5, §12, §13)."""

from __future__ import annotations

from engines.kit.game import Draw, Fact
from engines.tashkalar import facts
from engines.tashkalar.drawing import refilled
from engines.tashkalar.pieces import NOTHING
from engines.tashkalar.points import end_reached
from engines.tashkalar.row import after_claim
from engines.tashkalar.state import ACTIONS, NOBODY, Form, State, Turn, with_item

Told = list[Fact]


def close(state: State, task: int, draw: Draw, told: Told) -> State:
    """The turn is over, with the task claimed or NOTHING: cards are drawn, and the next turn begins.

    An additional turn follows before the end is looked for (rules §12).
    """
    if task != NOTHING:
        state = after_claim(state, task)
    state, emptied = refilled(state, draw, told)
    turn = state.turn
    emptied = emptied or turn.emptied
    if turn.again:
        told.append(facts.again(turn.seat))
        state = _begin(state, turn.seat)
        return state._replace(turn=state.turn._replace(again=turn.again - 1, emptied=emptied))
    return following(state, told, emptied=emptied)


def following(state: State, told: Told, *, emptied: bool) -> State:
    """The end is looked for, then the next seat's turn begins; or the game is over, when this was the last turn.

    `emptied`: in this turn, or in the chain of additional ones that it ends, the last card of a deck was drawn.
    """
    seat = state.turn.seat
    fresh = state.last == NOBODY and (emptied or end_reached(state))
    if fresh:
        state = state._replace(last=seat, cause="deck" if emptied else "points")
        told.append(facts.last_turns(state))
        if state.rules.form is Form.FIRST:
            return state._replace(over=state.cause)
    while True:
        if seat == state.last and not fresh:
            return state._replace(over=state.cause)
        fresh = False
        seat = (seat + 1) % state.rules.seats
        if not state.left >> seat & 1:
            return _begin(state, seat)


def _begin(state: State, seat: int) -> State:
    colour = state.colour(seat)
    player = state.players[seat]
    return state._replace(
        players=with_item(state.players, seat, player._replace(turns=player.turns + 1)),
        fewer=with_item(state.fewer, colour, 0),
        turn=Turn(seat, max(0, ACTIONS - state.fewer[colour]), (0,) * len(state.board)),
    )
