"""The commands of play: moves, taking them back, resigning."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.bounds import MOST_MOVE_BYTES, MOST_MOVES, SURELY_FITS, move_fits
from core.errors import Refused
from engines.kit import fields
from engines.kit.conditions import not_your_turn, require_active, seat_of, stale
from engines.kit.draft import Draft
from engines.kit.game import IllegalMove
from engines.kit.steps_of_play import undo_index

Command = engine_pb2.ExecuteRequest

_ONE_BARRIER = (
    "moves of which the last one alone may be such as cannot be taken back: what a move shows is learned by making it"
)


def submit(draft: Draft, command: Command) -> None:
    """Makes the moves. Raises STALE_VIEW, NOT_YOUR_TURN, ILLEGAL_MOVE, FIELD_INVALID."""
    state = draft.state
    require_active(state)
    seat = seat_of(state, command.handle)
    decision = state.decision[seat]
    if command.expected.seq < decision:
        raise stale(command.expected.seq, decision, state.seq)
    # Of a repeated field a slice comes at half the price of iterating over it.
    moves = command.submit.moves[:]
    if not 1 <= len(moves) <= MOST_MOVES:
        raise fields.wrong("moves", f"1 to {MOST_MOVES} moves")
    secrets = draft.game.info.has_secrets
    made = False
    for move in moves:
        if len(move) > SURELY_FITS and not move_fits(move):
            raise fields.wrong("moves", f"at most {MOST_MOVE_BYTES} bytes each")
        state = draft.state
        if made and secrets and not state.window:
            # The move before may have shown its seat something hidden; a refusal of the next would tell it for nothing.
            raise fields.wrong("moves", _ONE_BARRIER)
        if seat not in draft.game.may_act(state.game):
            raise not_your_turn(draft.game, state, seat)
        # Filled where it stands, which costs half of what keywords do.
        event = event_pb2.Event()
        event.moved.seat = seat
        event.moved.move = move
        try:
            draft.add(event)
        except IllegalMove as illegal:
            raise Refused(
                error_pb2.REASON_ILLEGAL_MOVE,
                f"{illegal.what}; expected {illegal.expected} ({illegal.rule}). ListChoices gives the legal moves.",
                {"move": move, "rule": illegal.rule, "expected": illegal.expected},
            ) from None
        draft.settle()
        made = True


def undo(draft: Draft, command: Command) -> None:
    """Takes moves back. Raises NOTHING_TO_UNDO."""
    state = draft.state
    require_active(state)
    seat = seat_of(state, command.handle)
    index = undo_index(state, seat, command.undo.to_seq)
    if index is None:
        raise Refused(
            error_pb2.REASON_NOTHING_TO_UNDO,
            "There is nothing of yours to take back: the turn ended, chance was used, or somebody learned something.",
        )
    draft.add(event_pb2.Event(undone=event_pb2.Undone(seat=seat, to_seq=state.window[index].seq)))


def resign(draft: Draft, command: Command) -> None:
    """Gives the seat up. Raises RESIGN_FORBIDDEN."""
    state = draft.state
    require_active(state)
    seat = seat_of(state, command.handle)
    if not (draft.game.info.may_resign and draft.game.may_resign(state.game)):
        raise Refused(error_pb2.REASON_RESIGN_FORBIDDEN, "This game does not allow resigning. Play on.")
    try:
        draft.add(event_pb2.Event(resigned=event_pb2.Resigned(seat=seat)))
    except IllegalMove as wrong:
        raise Refused(error_pb2.REASON_RESIGN_FORBIDDEN, f"{wrong.what}; expected {wrong.expected}.") from None
    draft.settle()
