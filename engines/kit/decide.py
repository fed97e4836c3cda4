"""What a command leads to: a draft of events, or a refusal. Pure: time, and what was done before, are arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from hamle.engine.v1 import engine_pb2
from hamle.error.v1 import error_pb2
from hamle.event.v1 import event_pb2

from core.errors import Refused
from engines.kit import commands_of_life as life
from engines.kit import commands_of_play as play
from engines.kit.draft import Draft
from engines.kit.life import Status
from engines.kit.requests import Asked, Done
from engines.kit.state import AnyGame, MatchState

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


_COMMANDS: Mapping[str, Callable[[Draft, Command], None]] = {
    "submit": play.submit,
    "take_seat": life.take_seat,
    "leave_seat": life.leave_seat,
    "start": life.start,
    "undo": play.undo,
    "resign": play.resign,
}


def pass_deadline(game: AnyGame, state: MatchState, hash: bytes, now_ms: int) -> Draft:
    """The events that follow from the time alone; none when nothing is due at `now_ms`."""
    draft = Draft(game, state, hash, now_ms)
    status = state.life.status
    if status is Status.WAITING:
        if now_ms >= state.life.until_ms:
            draft.add(event_pb2.Event(cancelled=event_pb2.Cancelled(reason=event_pb2.CANCEL_REASON_EXPIRED)))
        return draft
    if status is not Status.ACTIVE:
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
