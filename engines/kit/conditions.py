"""What a command needs of the match and of who gives it, and what is said where that is missing."""

from __future__ import annotations

from hamle.error.v1 import error_pb2

from core.errors import Refused
from engines.kit.life import Status
from engines.kit.state import AnyGame, MatchState


def finished(state: MatchState) -> Refused:
    """MATCH_FINISHED."""
    return Refused(
        error_pb2.REASON_MATCH_FINISHED,
        f"The match is over, its last event is {state.seq}. Replay it, or fork it to play on.",
        {"head_seq": str(state.seq)},
    )


def require_waiting(state: MatchState) -> None:
    """Raises MATCH_STARTED or MATCH_FINISHED."""
    status = state.life.status
    if status is Status.ACTIVE:
        raise Refused(
            error_pb2.REASON_MATCH_STARTED,
            "The match has started: seats can no longer be taken or left. Watch it, or create another.",
        )
    if status is not Status.WAITING:
        raise finished(state)


def require_active(state: MatchState) -> None:
    """Raises MATCH_NOT_STARTED or MATCH_FINISHED."""
    status = state.life.status
    if status is Status.WAITING:
        raise Refused(
            error_pb2.REASON_MATCH_NOT_STARTED,
            f"The match has not started: {state.life.taken()} of {len(state.life.seats)} seats are taken. Wait for it.",
        )
    if status is not Status.ACTIVE:
        raise finished(state)


def seat_of(state: MatchState, handle: str) -> int:
    """The seat of who asks. Raises NOT_YOUR_SEAT."""
    seat = state.life.seat_of(handle)
    if seat is None:
        raise Refused(
            error_pb2.REASON_NOT_YOUR_SEAT,
            "You hold no seat of this match. Join it while it waits, or watch it.",
        )
    return seat


def stale(expected: int, decision: int, head: int) -> Refused:
    """STALE_VIEW: the options of the seat have changed since what the caller has seen."""
    return Refused(
        error_pb2.REASON_STALE_VIEW,
        f"You decided on event {expected}, but your options changed at event {decision}. Look again and decide again.",
        {"expected_seq": str(expected), "decision_seq": str(decision), "head_seq": str(head)},
    )


def not_your_turn(game: AnyGame, state: MatchState, seat: int) -> Refused:
    """NOT_YOUR_TURN, or MATCH_FINISHED when the last move has just ended the game."""
    may_act = sorted(game.may_act(state.game))
    if not may_act:
        return finished(state)
    return Refused(
        error_pb2.REASON_NOT_YOUR_TURN,
        f"Seat {seat} cannot act now; seat {' or '.join(map(str, may_act))} can. Wait for an event that changes this.",
        {"seat": str(seat), "may_act": ",".join(map(str, may_act))},
    )
