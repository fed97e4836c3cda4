"""The commands of a match's life: seats are taken and left, and the match starts."""

from __future__ import annotations

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from engines.kit import fields
from engines.kit.conditions import require_waiting, seat_of
from engines.kit.draft import Draft
from engines.kit.life import Status

Command = engine_pb2.ExecuteRequest


def take_seat(draft: Draft, command: Command) -> None:
    """Adds the seat; nothing for who sits already. Raises MATCH_FULL, SEAT_TAKEN, FIELD_INVALID."""
    state = draft.state
    life = state.life
    if life.seat_of(command.handle) is not None and life.status in (Status.WAITING, Status.ACTIVE):
        return
    free = [number for number, handle in enumerate(life.seats) if not handle]
    require_waiting(state)
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


def leave_seat(draft: Draft, command: Command) -> None:
    """Gives the seat back; a match without anybody is cancelled. Raises NOT_YOUR_SEAT."""
    seat = seat_of(draft.state, command.handle)
    require_waiting(draft.state)
    draft.add(event_pb2.Event(seat_left=event_pb2.SeatLeft(seat=seat)))
    if not draft.state.life.taken():
        draft.add(event_pb2.Event(cancelled=event_pb2.Cancelled(reason=event_pb2.CANCEL_REASON_ABANDONED)))


def start(draft: Draft, command: Command) -> None:
    """Starts the match for its creator. Raises NOT_YOUR_SEAT, SEATS_MISSING."""
    life = draft.state.life
    if command.handle != life.creator:
        raise Refused(error_pb2.REASON_NOT_YOUR_SEAT, "Only the creator of the match may start it.")
    require_waiting(draft.state)
    taken, needed = life.taken(), draft.game.info.min_seats
    if taken < needed or not all(life.seats[:taken]):
        raise Refused(
            error_pb2.REASON_SEATS_MISSING,
            f"{taken} seats are taken; the game needs at least {needed}, from seat 0 on without holes.",
            {"seats": str(taken), "needed": str(needed)},
        )
    draft.add(event_pb2.Event(started=event_pb2.Started(seats=taken)))
    draft.settle()
