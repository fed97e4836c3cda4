"""One match: playing and watching it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from uuid import uuid4

from hamle.event.v1 import event_pb2
from hamle.lobby.v1 import lobby_pb2
from hamle.match.v1 import match_pb2
from hamle.play.v1 import play_pb2

from hamle_client.caller import Caller
from hamle_client.progress import Progress
from hamle_client.replay import Replay
from hamle_client.told import Cursor, Done, Step, View, durability_name
from hamle_client.types import Types
from hamle_client.watching import Watch


@dataclass
class Shared:
    """What the objects of one client share."""

    caller: Caller
    types: Types
    silence: float


class Match:
    """A match, as made by `Client.pair`, `create`, `join` or `match`.

    `id` is its identity, `info` the latest `hamle.match.v1.Match` known (None for a bare id), `invite_code` lets others
    join a private match. `cursor` is the last event seen through this object: moves are submitted against it, so that
    a move decided on an older state is refused (StaleView) instead of meaning something else. `acted_seq` is the last
    event that the caller's own calls through this object have added, 0 for none.

    All methods raise HamleError or one of its subclasses.
    """

    def __init__(
        self, shared: Shared, match_id: str, info: match_pb2.Match | None = None, *, invite_code: str = ""
    ) -> None:
        self._shared = shared
        self.id = match_id
        self.info: match_pb2.Match | None = None
        self.invite_code = invite_code
        self.cursor = Cursor()
        self.replay = Replay(shared.caller, shared.types, match_id)
        self._handle = ""
        self.acted_seq = 0
        self._over = False
        self._outcome: event_pb2.Outcome | None = None
        if info is not None:
            self._know(info)
            self._saw(Cursor.from_proto(info.head))

    @property
    def seat(self) -> int | None:
        """The caller's seat; None for a spectator, or before anything is known of the match."""
        seats = self.info.seats if self.info is not None else ()
        return next((seat.number for seat in seats if seat.handle and seat.handle == self._handle), None)

    @property
    def game(self) -> str:
        """Name of the game, `coerceo`; empty before anything is known of the match."""
        return self.info.game if self.info is not None else ""

    async def refresh(self) -> match_pb2.Match:
        """Asks for the match as it stands; also sets `info` and `invite_code`."""
        request = lobby_pb2.GetMatchRequest(match_id=self.id)
        answer = await self._shared.caller.call(lambda c: c.lobby.GetMatch, request, match_id=self.id)
        self.invite_code = answer.invite_code or self.invite_code
        self._know(answer.match)
        return answer.match

    async def start(self) -> None:
        """Starts a match that was created with `manual_start`."""
        request = lobby_pb2.StartMatchRequest(request_id=new_request_id(), match_id=self.id)
        answer = await self._shared.caller.call(lambda c: c.lobby.StartMatch, request, match_id=self.id)
        self._know(answer.match)

    async def leave(self) -> None:
        """Gives the seat back; only before the start."""
        request = lobby_pb2.LeaveMatchRequest(request_id=new_request_id(), match_id=self.id)
        answer = await self._shared.caller.call(lambda c: c.lobby.LeaveMatch, request, match_id=self.id)
        self._know(answer.match)

    async def view(self) -> View:
        """The state at the head, as the caller's seat, or the public, may see it.

        It is at least as new as what was seen and done through this object, whichever server answers. Raises
        LogLostTail or HashMismatch when the server no longer has what was seen.
        """
        request = play_pb2.GetViewRequest(match_id=self.id, known=self._known())
        answer = await self._shared.caller.call(lambda c: c.play.GetView, request, match_id=self.id)
        view = await self._shared.types.view(answer.view)
        view.seat = answer.seat if answer.HasField("seat") else None
        self._saw(view.cursor)
        return view

    async def choices(self, prefix: str = "") -> list[match_pb2.Choice]:
        """The legal ways to go on from the beginning of a move; an empty list when the seat cannot act.

        A choice with `complete` set is a legal move as it stands. Pass a choice's `text` to see what may follow it.
        They are as new as `view`; raises as it does.
        """
        request = play_pb2.ListChoicesRequest(match_id=self.id, prefix=prefix, known=self._known())
        answer = await self._shared.caller.call(lambda c: c.play.ListChoices, request, match_id=self.id)
        self._saw(Cursor.from_proto(answer.cursor))
        return list(answer.choices)

    async def submit(self, *moves: str, expected: Cursor | None = None, request_id: str = "") -> Done:
        """Makes one or several moves of the caller's seat: all are taken or none.

        `expected` is the last event the decision rests on; by default `cursor`. Raises IllegalMove, NotYourTurn,
        StaleView, MatchFinished and others. With the same `request_id` a repeated call is done once, whatever happens
        in between; by default each call has its own, and its retries share it. In a game with hidden information only
        the last of several moves may be one that cannot be taken back.
        """
        basis = expected or await self._basis()
        request = play_pb2.SubmitMovesRequest(
            match_id=self.id, request_id=request_id or new_request_id(), expected=basis.to_proto(), moves=moves
        )
        answer = await self._shared.caller.call(lambda c: c.play.SubmitMoves, request, match_id=self.id)
        return self._done(answer.cursor, answer.durability, basis, added=len(moves))

    async def undo(self, to_seq: int = 0, *, expected: Cursor | None = None, request_id: str = "") -> Done:
        """Takes back the caller's moves to the state after event `to_seq`; 0: the last move alone."""
        basis = expected or await self._basis()
        request = play_pb2.UndoMovesRequest(
            match_id=self.id, request_id=request_id or new_request_id(), expected=basis.to_proto(), to_seq=to_seq
        )
        answer = await self._shared.caller.call(lambda c: c.play.UndoMoves, request, match_id=self.id)
        return self._done(answer.cursor, answer.durability, basis, added=1)

    async def resign(self, *, request_id: str = "") -> Done:
        """Gives up the caller's seat."""
        request = play_pb2.ResignRequest(match_id=self.id, request_id=request_id or new_request_id())
        answer = await self._shared.caller.call(lambda c: c.play.Resign, request, match_id=self.id)
        return self._done(answer.cursor, answer.durability, self.cursor, added=1)

    async def watch(
        self, cursor: Cursor | None = None, *, views: bool = True, silence: float | None = None
    ) -> AsyncGenerator[Step, None]:
        """Follows the match: each event once, in order, without gaps, until the match is over.

        Broken connections, restarted servers and servers that send the watcher elsewhere are dealt with: the watch
        goes on after the last event told. Begins after `cursor`, by default with the first event. Events that lie
        behind come without views, then one step without an event brings the view at the head, then each event comes
        with the view after it. `views=False` leaves all views out.

        Raises HashMismatch when the server holds another history than the one told so far, LogLostTail when it has
        forgotten events that were told, SeqGap when it skips some, and what was refused.
        """
        shared = self._shared
        watch = Watch(
            shared.caller,
            shared.types,
            self.id,
            Progress(cursor or Cursor(), views=views),
            views,
            silence or shared.silence,
            lambda joined: self._know(joined.match),
        )
        steps = watch.steps()
        try:
            async for step in steps:
                self._note(step)
                yield step
            self._over = True
        finally:
            await steps.aclose()

    async def turns(self, *, optional: bool = False) -> AsyncGenerator[View, None]:
        """The views on which the caller's seat must act, one after another, until the match is over.

        With `optional`, also those on which it only can act. Submit a move before asking for the next view.
        """
        if self.seat is None:
            await self.refresh()
        steps = self.watch(self.cursor)
        try:
            async for step in steps:
                view = step.view
                if view is None or self.seat is None or view.seq < self.acted_seq:
                    continue
                if self.seat in (view.may_act if optional else view.awaited):
                    yield view
        finally:
            await steps.aclose()

    async def outcome(self) -> event_pb2.Outcome | None:
        """Waits until the match is over and tells how it ended; None when it was cancelled before it started."""
        if not self._over:
            async for _ in self.watch(self.cursor):
                pass
        return self._outcome

    async def _basis(self) -> Cursor:
        if not self.cursor.seq:
            self._saw(Cursor.from_proto((await self.refresh()).head))
        return self.cursor

    def _known(self) -> match_pb2.Cursor:
        if self.acted_seq > self.cursor.seq:  # what lies before it was not seen, so its hash is nothing to insist on
            return match_pb2.Cursor(seq=self.acted_seq)
        return self.cursor.to_proto()

    def _know(self, info: match_pb2.Match) -> None:
        self.info = info
        self._handle = next((seat.handle for seat in info.seats if seat.yours), self._handle)
        if info.HasField("outcome"):
            self._outcome = info.outcome

    def _note(self, step: Step) -> None:
        self._saw(step.cursor)
        if step.event is not None and step.event.HasField("finished"):
            self._outcome = step.event.finished.outcome
        if step.view is not None:
            step.view.seat = self.seat
            self._outcome = step.view.outcome or self._outcome

    def _saw(self, cursor: Cursor) -> None:
        if cursor.seq >= self.cursor.seq:
            self.cursor = cursor

    def _done(
        self, told: match_pb2.Cursor, durability: match_pb2.Durability.ValueType, basis: Cursor, *, added: int
    ) -> Done:
        cursor = Cursor.from_proto(told)
        self.acted_seq = max(self.acted_seq, cursor.seq)
        if cursor.seq == basis.seq + added:  # else events lie between that this object has not seen
            self._saw(cursor)
        return Done(cursor, durability_name(durability))

    def __repr__(self) -> str:
        return f"<Match {self.id} at seq {self.cursor.seq}>"


def new_request_id() -> str:
    """A request id that nobody else has."""
    return uuid4().hex
