"""The fold: the state after an event follows from the state before it, the event and nothing else.

Live play, replay, time travel, fork and verify are all this one function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from hamle.event.v1 import event_pb2

from core.fairness.chain import chain
from core.fairness.draw import SeededDraw
from core.fairness.secret import commitment, game_seed, hash_key
from engines.kit.clock import Clock
from engines.kit.game import EVERYBODY, PUBLIC, Fact, Outcome, Placement
from engines.kit.life import Life, Status
from engines.kit.state import AnyGame, MatchState, Restore, canonical

Event = event_pb2.Event


class FoldError(Exception):
    """The event cannot follow the state: the log does not hold what these rules would write.

    `seq` is the event's; `what` says what was wrong, `expected` what the rules would have.
    """

    def __init__(self, seq: int, what: str, expected: str = "") -> None:
        super().__init__(f"event {seq}: {what}" + (f", expected {expected}" if expected else ""))
        self.seq = seq
        self.what = what
        self.expected = expected


class Folded(NamedTuple):
    """A match after an event: its state, the state hash, what the event did, and the canonical bytes hashed."""

    state: MatchState
    hash: bytes
    facts: Sequence[Fact]
    canonical: bytes


def fold(game: AnyGame, state: MatchState | None, previous: bytes, event: Event, raw: bytes) -> Folded:
    """The match after `event`, whose bytes are `raw`; `state` and the hash `previous` are None and empty at first.

    Raises `FoldError` when the event cannot stand here, `IllegalMove` when the rules forbid the move in it.
    """
    body = event.WhichOneof("body")
    if state is None:
        if body != "created":
            raise FoldError(1, f"the first event is {body}", "created")
        after: MatchState
        after, facts = _created(game, event)
    else:
        if event.at_ms < state.at_ms:
            raise FoldError(state.seq + 1, f"time runs backwards to {event.at_ms}", f"at least {state.at_ms}")
        step = _STEPS.get(body)  # type: ignore[arg-type]
        if step is None:
            raise FoldError(state.seq + 1, f"the event is {body}", f"one of {', '.join(_STEPS)}")
        after, facts = step(game, state, event)
    data = canonical(game, after)
    return Folded(after, chain(after.key, previous, raw, data), facts, data)


Stepped = tuple[MatchState, Sequence[Fact]]


def _created(game: AnyGame, event: Event) -> Stepped:
    body = event.created
    secret = body.secret.sealed
    if commitment(secret) != body.commitment:
        raise FoldError(1, "the commitment is not the SHA-256 of the secret", commitment(secret).hex())
    control = (body.time_control.initial_ms, body.time_control.increment_ms)
    life = Life(
        game=body.game,
        rules=body.rules,
        options=tuple(sorted(body.options.items())),
        seats=("",) * body.seats,
        entropies=(b"",) * body.seats,
        status=Status.WAITING,
        visibility=body.visibility,
        time_control=control if body.HasField("time_control") else None,
        commitment=body.commitment,
        creator=body.creator,
        manual_start=body.manual_start,
        created_at_ms=event.at_ms,
        until_ms=event.at_ms + body.start_within_ms,
        start_within_ms=body.start_within_ms,
        secret=secret,
    )
    return MatchState(1, event.at_ms, life, None, None, (1,) * body.seats, (), event.at_ms, hash_key(secret), b""), ()


def _living(state: MatchState, event: Event, life: Life) -> MatchState:
    return state._replace(seq=state.seq + 1, at_ms=event.at_ms, life=life)


def _require(state: MatchState, status: Status) -> None:
    if state.life.status is not status:
        raise FoldError(state.seq + 1, f"the match is {state.life.status.name}", status.name)


def _seat_taken(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.WAITING)
    body = event.seat_taken
    if body.seat >= len(state.life.seats) or state.life.seats[body.seat]:
        raise FoldError(state.seq + 1, f"seat {body.seat} is taken", "a free seat")
    return _living(state, event, state.life.sit(body.seat, body.handle, body.entropy)), ()


def _seat_left(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.WAITING)
    seat = event.seat_left.seat
    if seat >= len(state.life.seats) or not state.life.seats[seat]:
        raise FoldError(state.seq + 1, f"seat {seat} is free", "a taken seat")
    return _living(state, event, state.life.stand(seat)), ()


def _started(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.WAITING)
    seats = event.started.seats
    life = state.life
    if not all(life.seats[:seats]) or any(life.seats[seats:]):
        raise FoldError(state.seq + 1, f"{seats} seats start", "exactly the taken seats, without holes")
    life = replace(life, status=Status.ACTIVE, seats=life.seats[:seats], entropies=life.entropies[:seats])
    seq = state.seq + 1
    seed = game_seed(life.secret, life.entropies)
    position = state.game
    if position is None:
        position = game.setup(dict(life.options), seats, SeededDraw(seed, seq))
    clock = state.clock
    if life.time_control is not None:
        clock = clock or Clock.start(seats, *life.time_control)
        clock = clock._replace(running=frozenset()).at(event.at_ms, game.awaited(position))
    return (
        MatchState(seq, event.at_ms, life, clock, position, (seq,) * seats, (), event.at_ms, state.key, seed),
        (),
    )


def _moved(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    seq = state.seq + 1
    if state.life.status is not Status.ACTIVE:
        _require(state, Status.ACTIVE)
    body = event.moved
    seat = body.seat
    before = state.game
    if seat not in game.may_act(before):
        raise FoldError(seq, f"seat {seat} moves", f"one of {sorted(game.may_act(before))}")
    draw = SeededDraw(state.seed, seq)
    after, facts = game.apply(before, seat, body.move, draw)
    window: tuple[Restore, ...] = ()
    if not game.barrier(before, after) and not draw.used and not _told_others(facts, seat):
        window = (*state.window, Restore(state.seq, seat, before))
    return _played(game, state, event, after, window, seat), facts


def _told_others(facts: Sequence[Fact], seat: int) -> bool:
    """Somebody else learned something hidden: nobody can be made to unlearn it."""
    return any(fact.audiences is not None and fact.audiences - {seat} for fact in facts)


def _played(
    game: AnyGame, state: MatchState, event: Event, after: Any, window: tuple[Restore, ...], moved: int | None
) -> MatchState:
    """The match with another game state."""
    seq = state.seq + 1
    at_ms = event.at_ms
    undisturbed = game.undisturbed(state.game, after)
    if undisturbed:
        decision = tuple(old if seat in undisturbed else seq for seat, old in enumerate(state.decision))
    else:
        decision = (seq,) * len(state.decision)
    clock = state.clock
    if clock is not None:
        clock = clock.at(at_ms, game.awaited(after), moved)
    return MatchState(seq, at_ms, state.life, clock, after, decision, window, at_ms, state.key, state.seed)


def _undone(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.ACTIVE)
    body = event.undone
    index = undo_index(state, body.seat, body.to_seq)
    if index is None:
        raise FoldError(state.seq + 1, f"seat {body.seat} undoes to {body.to_seq}", "a state of its undo window")
    played = _played(game, state, event, state.window[index].game, state.window[:index], None)
    return played._replace(since_ms=state.since_ms), ()


def undo_index(state: MatchState, seat: int, to_seq: int) -> int | None:
    """Where in the window the seat may return to: the state after `to_seq`, 0 for before its last move; None: nowhere.

    All moves that would be taken back must be the seat's own.
    """
    window = state.window
    for index in range(len(window) - 1, -1, -1):
        if window[index].seat != seat:
            return None
        if to_seq in (0, window[index].seq):
            return index
    return None


def _left(game: AnyGame, state: MatchState, event: Event, seat: int, reason: str) -> Stepped:
    _require(state, Status.ACTIVE)
    if seat >= len(state.life.seats):
        raise FoldError(state.seq + 1, f"seat {seat} leaves", f"a seat below {len(state.life.seats)}")
    after, facts = game.leave(state.game, seat, SeededDraw(state.seed, state.seq + 1))
    played = _played(game, state, event, after, (), None)
    return played._replace(life=replace(played.life, reason=reason)), facts


def _resigned(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    return _left(game, state, event, event.resigned.seat, "")


def _clock_expired(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    seat = event.clock_expired.seat
    clock = state.clock
    if clock is None or clock.fallen(event.at_ms) != seat:
        raise FoldError(state.seq + 1, f"the clock of seat {seat} has fallen", "time left")
    return _left(game, state, event, seat, "clock_expired")


def _deadline_passed(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.ACTIVE)
    limit = game.limit_ms(state.game)
    due = None if limit is None else state.since_ms + limit
    if due is None or event.deadline_passed.due_ms != due or event.at_ms < due:
        raise FoldError(state.seq + 1, f"the limit of {event.deadline_passed.due_ms} has passed", f"{due}")
    after, facts = game.time_out(state.game, SeededDraw(state.seed, state.seq + 1))
    return _played(game, state, event, after, (), None), facts


def _finished(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.ACTIVE)
    ended = ending(game, state)
    said = outcome_of(event.finished.outcome)
    if ended != said:
        raise FoldError(state.seq + 1, f"the outcome is {said}", f"{ended}")
    clock = state.clock
    if clock is not None:
        clock = clock.at(event.at_ms, frozenset())
    life = replace(state.life, status=Status.FINISHED, outcome=ended)
    return _living(state, event, life)._replace(clock=clock, window=()), ()


def ending(game: AnyGame, state: MatchState) -> Outcome | None:
    """How the match ends in this state; None while it goes on.

    Every seat is its own team unless the game says otherwise. A fallen clock is a reason of the match's own.
    """
    outcome: Outcome | None = game.outcome(state.game)
    if outcome is None:
        return None
    placements = tuple(p if p.team is not None else p._replace(team=p.seat) for p in outcome.placements)
    return Outcome(placements, state.life.reason or outcome.reason)


def outcome_of(message: event_pb2.Outcome) -> Outcome:
    """The outcome that an event holds."""
    return Outcome(
        tuple(Placement(p.seat, p.place, p.score if p.HasField("score") else None, p.team) for p in message.placements),
        message.reason,
    )


def _secret_revealed(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    if state.life.status not in (Status.FINISHED, Status.CANCELLED):
        _require(state, Status.FINISHED)
    if event.secret_revealed.secret != state.life.secret:
        raise FoldError(state.seq + 1, "the revealed secret is not the sealed one", "the secret of the commitment")
    return _living(state, event, replace(state.life, revealed=True)), ()


def _cancelled(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    _require(state, Status.WAITING)
    return _living(state, event, replace(state.life, status=Status.CANCELLED)), ()


def _tail_lost(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    body = event.tail_lost
    if getattr(body, "from") != state.seq + 1:
        raise FoldError(state.seq + 1, f"the tail is lost from {getattr(body, 'from')}", str(state.seq + 1))
    lost = (*state.life.tail_lost, (getattr(body, "from"), body.to))
    return _living(state, event, replace(state.life, tail_lost=lost)), ()


def _forked(game: AnyGame, state: MatchState, event: Event) -> Stepped:
    body = event.forked
    secret = body.secret.sealed
    if state.game is None or body.seq != state.seq:
        raise FoldError(state.seq + 1, f"a fork at {body.seq}", f"{state.seq}, after the start")
    if commitment(secret) != body.commitment:
        raise FoldError(state.seq + 1, "the commitment is not the SHA-256 of the secret", commitment(secret).hex())
    seats = len(state.life.seats)
    life = replace(
        state.life,
        seats=("",) * seats,
        entropies=(b"",) * seats,
        status=Status.WAITING,
        visibility=body.visibility,
        commitment=body.commitment,
        secret=secret,
        creator=body.creator,
        manual_start=False,
        created_at_ms=event.at_ms,
        until_ms=event.at_ms + state.life.start_within_ms,
        revealed=False,
        outcome=None,
        reason="",
        parent=body.parent,
    )
    position = state.game
    if game.info.has_secrets:
        audience = body.known_to if body.HasField("known_to") else PUBLIC
        draw = SeededDraw(game_seed(secret, ()), state.seq + 1)
        position = game.imagine(game.view(position, audience), audience, draw)
    forked = _living(state, event, life)
    return forked._replace(game=position, window=(), key=hash_key(secret), seed=b""), ()


_STEPS: Mapping[str, Callable[[AnyGame, MatchState, Event], Stepped]] = {
    "moved": _moved,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "started": _started,
    "undone": _undone,
    "resigned": _resigned,
    "clock_expired": _clock_expired,
    "deadline_passed": _deadline_passed,
    "finished": _finished,
    "secret_revealed": _secret_revealed,
    "cancelled": _cancelled,
    "tail_lost": _tail_lost,
    "forked": _forked,
}


def audience_of(state: MatchState, handle: str) -> int:
    """What the handle may see: everything once the match is over, else what its seat or the public may."""
    if state.life.status is Status.FINISHED:
        return EVERYBODY
    seat = state.life.seat_of(handle)
    return PUBLIC if seat is None else seat
