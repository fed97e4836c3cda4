"""Requests that would be answered, one for each method: what is sent instead differs from them a little."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from google.protobuf.message import Message
from hamle.account.v1 import account_pb2 as account
from hamle.engine.v1 import engine_pb2 as engine
from hamle.event.v1.event_pb2 import TimeControl
from hamle.lobby.v1 import lobby_pb2 as lobby
from hamle.match.v1.match_pb2 import Cursor
from hamle.play.v1 import play_pb2 as play
from hamle.replay.v1 import replay_pb2 as replay

from core.log.keys import match_id_for

CLOCK = TimeControl(initial_ms=60_000, increment_ms=1_000)


class Table(NamedTuple):
    """A match that is being played, and what one of its players could do."""

    match_id: str
    head: Cursor
    handle: str
    move: str


def public(table: Table, waiting: str, page_tokens: tuple[str, str], ticket: str) -> Mapping[str, Message]:
    """By the full name of the request."""
    match: dict[str, Any] = {"match_id": table.match_id}
    command: dict[str, Any] = {**match, "request_id": "r"}
    options = {"start": "ocius"}
    return _named(
        account.SignInGuestRequest(name="Fay", scopes=["play"]),
        account.RefreshTokenRequest(),
        account.RevokeTokensRequest(),
        account.GetAccountRequest(),
        lobby.ListGamesRequest(),
        lobby.CreateMatchRequest(
            request_id="r", game="coerceo", options=options, seats=2, seat=1, time_control=CLOCK, entropy=b"e" * 32
        ),
        lobby.GetMatchRequest(**match),
        lobby.ListMatchesRequest(page_size=1, page_token=page_tokens[0], mine=True),
        lobby.JoinMatchRequest(request_id="r", match_id=waiting, entropy=b"e"),
        lobby.LeaveMatchRequest(request_id="r", match_id=waiting),
        lobby.StartMatchRequest(request_id="r", match_id=waiting),
        lobby.RequestPairingRequest(request_id="r", game="coerceo", options=options, time_control=CLOCK),
        lobby.AwaitPairingRequest(ticket=ticket),
        lobby.CancelPairingRequest(ticket=ticket),
        play.SubmitMovesRequest(**command, expected=table.head, moves=[table.move]),
        play.ListChoicesRequest(**match, prefix=table.move[:2]),
        play.GetViewRequest(**match),
        play.UndoMovesRequest(**command, expected=table.head, to_seq=table.head.seq),
        play.ResignRequest(**command),
        play.WatchMatchRequest(**match, cursor=table.head, omit_views=True),
        replay.GetStepRequest(**match, seq=2),
        replay.ListEventsRequest(**match, page_size=1, page_token=page_tokens[1]),
        replay.ForkMatchRequest(**command, seq=4, seat=1),
        replay.ExportMatchRequest(**match),
    )


def fleet(table: Table) -> Mapping[str, Message]:
    """What engines are asked, by the full name of the request."""
    asked: dict[str, Any] = {"match_id": table.match_id, "handle": table.handle}
    new: dict[str, Any] = {"match_id": match_id_for(table.match_id, "new"), "request_id": "r", "handle": "fay"}
    submit = engine.Submit(moves=[table.move])
    view = engine.GetViewRequest(**asked)
    return _named(
        engine.DescribeGameRequest(),
        engine.CreateMatchRequest(**new, seats=2, time_control=CLOCK, sitters=[engine.Sitter(seat=1, handle="gil")]),
        engine.ForkMatchRequest(**new, parent=table.match_id, seq=4, seat=1, parent_handle=table.handle),
        engine.ExecuteRequest(**asked, request_id="r", expected=table.head, submit=submit),
        engine.GetMatchRequest(match_id=table.match_id),
        view,
        engine.ListChoicesRequest(**asked, prefix=table.move[:2]),
        engine.GetStepRequest(**asked, seq=2),
        engine.ListEventsRequest(**asked, after_seq=1, limit=2),
        engine.ExportMatchRequest(**asked),
        engine.WatchMatchRequest(**asked, cursor=table.head),
        engine.PassDeadlineRequest(match_id=table.match_id),
        engine.AcceptTailLossRequest(match_id=table.match_id, last_known_seq=2),
        engine.ExchangeRequest(calls=[engine.Call(id=1, get_view=view)]),
    )


def _named(*messages: Message) -> Mapping[str, Message]:
    return {message.DESCRIPTOR.full_name: message for message in messages}
