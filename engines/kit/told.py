"""What an audience is told: events redacted, views, frames. Nothing of a match leaves an engine by another door."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from google.protobuf.any_pb2 import Any
from google.protobuf.descriptor import Descriptor
from hamle.engine.v1 import engine_pb2
from hamle.event.v1 import event_pb2
from hamle.match.v1 import match_pb2

from core.log.types import Cursor
from core.wireformat import VARINT, delimited, tag, varint
from engines.kit.clock import Clock
from engines.kit.draft import outcome_proto
from engines.kit.game import EVERYBODY, Audience, Fact
from engines.kit.life import Status
from engines.kit.state import AnyGame, MatchState

_VIEW_URL: Final = "type.googleapis.com/"


def cursor_proto(cursor: Cursor) -> match_pb2.Cursor:
    """A cursor as messages carry it."""
    return match_pb2.Cursor(seq=cursor.seq, hash=cursor.hash)


_SEQ: Final = tag(match_pb2.Cursor.DESCRIPTOR, "seq", VARINT)
_HASH: Final = tag(match_pb2.Cursor.DESCRIPTOR, "hash")


def cursor_bytes(cursor: Cursor) -> bytes:
    """The bytes of a cursor's message."""
    seq, hash = cursor
    return _SEQ + varint(seq) + _HASH + delimited(hash)


def clock_proto(clock: Clock | None) -> match_pb2.Clock | None:
    """The clocks as messages carry them."""
    if clock is None:
        return None
    return match_pb2.Clock(remaining_ms=clock.remaining_ms, running=sorted(clock.running), at_ms=clock.at_ms)


def match_proto(match_id: str, state: MatchState, hash: bytes) -> match_pb2.Match:
    """The match as lists and the lobby show it; names of players are not the engine's to know."""
    life = state.life
    control = life.time_control
    return match_pb2.Match(
        match_id=match_id,
        game=life.game,
        rules=life.rules,
        options=dict(life.options),
        seats=[match_pb2.Seat(number=number, handle=handle) for number, handle in enumerate(life.seats)],
        status=match_pb2.MatchStatus.ValueType(life.status),
        visibility=event_pb2.Visibility.ValueType(life.visibility),
        created_at_ms=life.created_at_ms,
        head=match_pb2.Cursor(seq=state.seq, hash=hash),
        outcome=None if life.outcome is None else outcome_proto(life.outcome),
        time_control=control and event_pb2.TimeControl(initial_ms=control[0], increment_ms=control[1]),
        commitment=life.commitment,
        creator=life.creator,
    )


def view_proto(game: AnyGame, state: MatchState, hash: bytes, audience: Audience) -> match_pb2.View:
    """The state as the audience may see it; the match must have started."""
    view = match_pb2.View()
    _fill_view(view, game, state, hash, audience)
    return view


def _fill_view(view: match_pb2.View, game: AnyGame, state: MatchState, hash: bytes, audience: Audience) -> None:
    # Messages are filled where they stand: one that is made first and then put into another is copied.
    position = state.game
    shown = game.view(position, audience)
    life = state.life
    view.MergeFromString(_outline(shown.DESCRIPTOR, game.awaited(position), game.may_act(position), life.status))
    cursor = view.cursor
    cursor.seq = state.seq
    cursor.hash = hash
    view.game.value = shown.SerializeToString(deterministic=True)
    if state.clock is not None:
        view.clock.CopyFrom(clock_proto(state.clock))  # type: ignore[arg-type]
    if life.outcome is not None:
        view.outcome.CopyFrom(outcome_proto(life.outcome))


@lru_cache
def _outline(shown: Descriptor, awaited: frozenset[int], may_act: frozenset[int], status: Status) -> bytes:
    """What most views share, ready to be parsed, which is cheaper than setting it."""
    return match_pb2.View(
        game=Any(type_url=_VIEW_URL + shown.full_name),
        awaited=sorted(awaited),
        may_act=sorted(may_act),
        status=match_pb2.MatchStatus.ValueType(status),
    ).SerializeToString()


def _redact(
    told: event_pb2.Event, game: AnyGame, event: event_pb2.Event, before: MatchState | None, audience: Audience
) -> None:
    """Fills `told` with the event as the audience may read it: no request, no sealed secret, hidden moves redacted."""
    body = event.WhichOneof("body")
    if body == "moved" and before is not None and audience != EVERYBODY and game.info.has_secrets:
        moved, shown = event.moved, told.moved
        told.at_ms = event.at_ms
        shown.seat = moved.seat
        shown.move = game.redact(before.game, moved.seat, moved.move, audience)
        return
    told.CopyFrom(event)
    told.ClearField("request")
    if body == "created":
        told.created.ClearField("secret")
    elif body == "forked":
        told.forked.ClearField("secret")


def told_event(
    game: AnyGame,
    event: event_pb2.Event,
    cursor: Cursor,
    before: MatchState | None,
    facts: Sequence[Fact],
    audience: Audience,
) -> match_pb2.ToldEvent:
    """The event and what it did, as the audience may know it. `before` is the state that the event was made in."""
    told = match_pb2.ToldEvent()
    _fill_told(told, game, event, cursor, before, facts, audience)
    return told


def _fill_told(
    told: match_pb2.ToldEvent,
    game: AnyGame,
    event: event_pb2.Event,
    cursor: Cursor,
    before: MatchState | None,
    facts: Sequence[Fact],
    audience: Audience,
) -> None:
    place = told.cursor
    place.seq, place.hash = cursor
    _redact(told.event, game, event, before, audience)
    for fact in facts:
        if fact.audiences is None or audience == EVERYBODY or audience in fact.audiences:
            told.facts.add(kind=fact.kind, parameters=dict(fact.parameters))


def step_frame(
    game: AnyGame,
    event: event_pb2.Event,
    cursor: Cursor,
    before: MatchState | None,
    facts: Sequence[Fact],
    audience: Audience,
    after: MatchState | None,
) -> bytes:
    """The bytes of a frame with an event and, where `after` is given and has started, the view after it."""
    response = engine_pb2.WatchMatchResponse()
    step = response.frame.step
    _fill_told(step.told, game, event, cursor, before, facts, audience)
    if after is not None and after.game is not None:
        _fill_view(step.view, game, after, cursor.hash, audience)
    return response.SerializeToString()


def view_frame(view: match_pb2.View) -> bytes:
    """The bytes of the frame with the view at the head."""
    return engine_pb2.WatchMatchResponse(frame=match_pb2.Frame(view=view)).SerializeToString()


def joined_frame(match: match_pb2.Match, clock: Clock | None) -> bytes:
    """The bytes of the first frame of a watch."""
    joined = match_pb2.Joined(match=match, clock=clock_proto(clock))
    return engine_pb2.WatchMatchResponse(frame=match_pb2.Frame(joined=joined)).SerializeToString()


def heartbeat_frame(head: Cursor, now_ms: int) -> bytes:
    """The bytes of a frame that says how far the store says the match is."""
    beat = match_pb2.Heartbeat(head=cursor_proto(head), at_ms=now_ms)
    return engine_pb2.WatchMatchResponse(frame=match_pb2.Frame(heartbeat=beat)).SerializeToString()


def listing(match_id: str, state: MatchState, hash: bytes) -> bytes:
    """The match's entry in the list of public matches; empty: it is not listed."""
    life = state.life
    if life.visibility != event_pb2.VISIBILITY_PUBLIC or life.status not in (Status.WAITING, Status.ACTIVE):
        return b""
    return match_proto(match_id, state, hash).SerializeToString(deterministic=True)
