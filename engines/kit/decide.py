"""What a command leads to: a draft of events, or a refusal. Pure: time, and what was done before, are arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.bounds import MOST_MOVE_BYTES, MOST_MOVES, SURELY_FITS, move_fits
from core.errors import Refused
from engines.kit import fields
from engines.kit.draft import Draft
from engines.kit.game import IllegalMove
from engines.kit.life import Status
from engines.kit.requests import Asked, Done
from engines.kit.state import AnyGame, MatchState
from engines.kit.steps_of_play import undo_index

Command = engine_pb2.ExecuteRequest


class Repeat(NamedTuple):
    """The call was done before: its last event."""

    seq: int


def repeated(done: Mapping[int, Done], asked: Asked) -> Repeat | None:
    """The earlier doing of the same call; None when there is none. Raises REQUEST_ID_REUSED."""
    earlier = done.get(asked.key)
    if earlier is None:
        return None
    if earlier.payload != asked.payload:
        raise Refused(
            error_pb2.REASON_REQUEST_ID_REUSED,
            "The request id was used before for something else. Take a new id for a new request.",
            {"first_seq": str(earlier.first)},
        )
    return Repeat(earlier.last)


def decide(game: AnyGame, state: MatchState, hash: bytes, command: Command, asked: Asked, now_ms: int) -> Draft:
    """The events that the command adds to the match at `state` and `hash`; none when it changes nothing.

    Raises `Refused`. The caller has looked for a repetition, and has held `command.expected` against the log.
    """
    body = command.WhichOneof("command")
    draft = Draft(game, state, hash, now_ms, asked)
    handler = _COMMANDS.get(body or "")
    if handler is None:
        raise Refused(
            error_pb2.REASON_FIELD_INVALID,
            f"The command is missing. Set one of {', '.join(_COMMANDS)}.",
            {"field": "command", "expected": ", ".join(_COMMANDS)},
        )
    handler(draft, command)
    return draft


def _finished(state: MatchState) -> Refused:
    return Refused(
        error_pb2.REASON_MATCH_FINISHED,
        f"The match is over, its last event is {state.seq}. Replay it, or fork it to play on.",
        {"head_seq": str(state.seq)},
    )


def _require_waiting(state: MatchState) -> None:
    status = state.life.status
    if status is Status.ACTIVE:
        raise Refused(
            error_pb2.REASON_MATCH_STARTED,
            "The match has started: seats can no longer be taken or left. Watch it, or create another.",
        )
    if status is not Status.WAITING:
        raise _finished(state)


def _require_active(state: MatchState) -> None:
    status = state.life.status
    if status is Status.WAITING:
        raise Refused(
            error_pb2.REASON_MATCH_NOT_STARTED,
            f"The match has not started: {state.life.taken()} of {len(state.life.seats)} seats are taken. Wait for it.",
        )
    if status is not Status.ACTIVE:
        raise _finished(state)


def seat_of(state: MatchState, handle: str) -> int:
    """The seat of who asks. Raises NOT_YOUR_SEAT."""
    seat = state.life.seat_of(handle)
    if seat is None:
        raise Refused(
            error_pb2.REASON_NOT_YOUR_SEAT,
            "You hold no seat of this match. Join it while it waits, or watch it.",
        )
    return seat


def _take_seat(draft: Draft, command: Command) -> None:
    state = draft.state
    life = state.life
    if life.seat_of(command.handle) is not None and life.status in (Status.WAITING, Status.ACTIVE):
        return
    free = [number for number, handle in enumerate(life.seats) if not handle]
    _require_waiting(state)
    body = command.take_seat
    if not free:
        raise Refused(error_pb2.REASON_MATCH_FULL, f"All {len(life.seats)} seats are taken. Watch, or create a match.")
    fields.require_entropy(body.entropy)
    seat = body.seat if body.HasField("seat") else free[0]
    if seat not in free:
        raise Refused(
            error_pb2.REASON_SEAT_TAKEN,
            f"Seat {seat} is not free. Free seats: {', '.join(map(str, free))}.",
            {"seat": str(seat), "free": ",".join(map(str, free))},
        )
    draft.add(event_pb2.Event(seat_taken=event_pb2.SeatTaken(seat=seat, handle=command.handle, entropy=body.entropy)))
    begin_when_full(draft)


def begin_when_full(draft: Draft) -> None:
    """Starts the match when its last seat has been taken, unless its creator wants to do that."""
    life = draft.state.life
    if life.status is Status.WAITING and all(life.seats) and not life.manual_start:
        draft.add(event_pb2.Event(started=event_pb2.Started(seats=len(life.seats))))
        draft.settle()


def _leave_seat(draft: Draft, command: Command) -> None:
    seat = seat_of(draft.state, command.handle)
    _require_waiting(draft.state)
    draft.add(event_pb2.Event(seat_left=event_pb2.SeatLeft(seat=seat)))
    if not draft.state.life.taken():
        draft.add(event_pb2.Event(cancelled=event_pb2.Cancelled(reason=event_pb2.CANCEL_REASON_ABANDONED)))


def _start(draft: Draft, command: Command) -> None:
    life = draft.state.life
    if command.handle != life.creator:
        raise Refused(error_pb2.REASON_NOT_YOUR_SEAT, "Only the creator of the match may start it.")
    _require_waiting(draft.state)
    taken, needed = life.taken(), draft.game.info.min_seats
    if taken < needed or not all(life.seats[:taken]):
        raise Refused(
            error_pb2.REASON_SEATS_MISSING,
            f"{taken} seats are taken; the game needs at least {needed}, from seat 0 on without holes.",
            {"seats": str(taken), "needed": str(needed)},
        )
    draft.add(event_pb2.Event(started=event_pb2.Started(seats=taken)))
    draft.settle()


def _submit(draft: Draft, command: Command) -> None:
    state = draft.state
    _require_active(state)
    seat = seat_of(state, command.handle)
    decision = state.decision[seat]
    if command.expected.seq < decision:
        raise stale(command.expected.seq, decision, state.seq)
    # Of a repeated field a slice comes at half the price of iterating over it.
    moves = command.submit.moves[:]
    if not 1 <= len(moves) <= MOST_MOVES:
        raise fields.wrong("moves", f"1 to {MOST_MOVES} moves")
    for move in moves:
        if len(move) > SURELY_FITS and not move_fits(move):
            raise fields.wrong("moves", f"at most {MOST_MOVE_BYTES} bytes each")
        state = draft.state
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
        return _finished(state)
    return Refused(
        error_pb2.REASON_NOT_YOUR_TURN,
        f"Seat {seat} cannot act now; seat {' or '.join(map(str, may_act))} can. Wait for an event that changes this.",
        {"seat": str(seat), "may_act": ",".join(map(str, may_act))},
    )


def _undo(draft: Draft, command: Command) -> None:
    state = draft.state
    _require_active(state)
    seat = seat_of(state, command.handle)
    index = undo_index(state, seat, command.undo.to_seq)
    if index is None:
        raise Refused(
            error_pb2.REASON_NOTHING_TO_UNDO,
            "There is nothing of yours to take back: the turn ended, chance was used, or somebody learned something.",
        )
    draft.add(event_pb2.Event(undone=event_pb2.Undone(seat=seat, to_seq=state.window[index].seq)))


def _resign(draft: Draft, command: Command) -> None:
    state = draft.state
    _require_active(state)
    seat = seat_of(state, command.handle)
    if not (draft.game.info.may_resign and draft.game.may_resign(state.game)):
        raise Refused(error_pb2.REASON_RESIGN_FORBIDDEN, "This game does not allow resigning. Play on.")
    try:
        draft.add(event_pb2.Event(resigned=event_pb2.Resigned(seat=seat)))
    except IllegalMove as wrong:
        raise Refused(error_pb2.REASON_RESIGN_FORBIDDEN, f"{wrong.what}; expected {wrong.expected}.") from None
    draft.settle()


_COMMANDS: Mapping[str, Callable[[Draft, Command], None]] = {
    "submit": _submit,
    "take_seat": _take_seat,
    "leave_seat": _leave_seat,
    "start": _start,
    "undo": _undo,
    "resign": _resign,
}


def pass_deadline(game: AnyGame, state: MatchState, hash: bytes, now_ms: int) -> Draft:
    """The events that follow from the time alone; none when nothing is due at `now_ms`."""
    draft = Draft(game, state, hash, now_ms)
    life = state.life
    if life.status is Status.WAITING:
        if now_ms >= life.until_ms:
            draft.add(event_pb2.Event(cancelled=event_pb2.Cancelled(reason=event_pb2.CANCEL_REASON_EXPIRED)))
        return draft
    if life.status is not Status.ACTIVE:
        return draft
    now_ms = max(now_ms, state.at_ms)
    limit = game.limit_ms(state.game)
    due = None if limit is None else state.since_ms + limit
    # Of a limit and a clock that have both passed when somebody looks, what came first counts.
    until_ms = now_ms if due is None else min(now_ms, due)
    fallen = None if state.clock is None else state.clock.fallen(until_ms)
    if fallen is not None:
        draft.add(event_pb2.Event(clock_expired=event_pb2.ClockExpired(seat=fallen)))
    elif due is not None and now_ms >= due:
        draft.add(event_pb2.Event(deadline_passed=event_pb2.DeadlinePassed(due_ms=due)))
    draft.settle()
    return draft


def accept_tail_loss(game: AnyGame, state: MatchState, hash: bytes, last_known: int, now_ms: int) -> Draft:
    """The event by which an operator lets a match go on without the events after its head."""
    if not last_known:
        raise Refused(
            error_pb2.REASON_NO_TAIL_LOST,
            f"No engine remembers more of the match than its log holds, {state.seq} events. Where somebody else does, "
            "name the last event that he remembers.",
            {"head_seq": str(state.seq)},
        )
    if last_known <= state.seq:
        raise Refused(
            error_pb2.REASON_NO_TAIL_LOST,
            f"The log reaches to event {state.seq}, so nothing up to {last_known} is lost.",
            {"head_seq": str(state.seq)},
        )
    draft = Draft(game, state, hash, now_ms)
    draft.add(event_pb2.Event(tail_lost=event_pb2.TailLost(**{"from": state.seq + 1, "to": last_known})))
    return draft
