"""How far a watch is: which frames are new, which history they belong to, when the watch is complete. Pure."""

from __future__ import annotations

from enum import Enum, auto

from hamle.match.v1 import match_pb2

from hamle_client.errors import HamleError, HashMismatch, LogLostTail, SeqGap
from hamle_client.told import Cursor

_LAST_EVENTS = ("secret_revealed", "cancelled")
_OVER = (match_pb2.MATCH_STATUS_FINISHED, match_pb2.MATCH_STATUS_CANCELLED)
_REMEMBERED = 256
_PATIENCE = 8


class Verdict(Enum):
    """What to do with a frame."""

    TELL = auto()
    """New: tell it."""
    DROP = auto()
    """Known, or nothing to tell."""
    RESUME = auto()
    """Something is missing, or the server asks for it: watch again from the cursor."""


class Progress:
    """The place of a watch in one history.

    Events are told once, in order and without gaps; what comes twice must be the same both times. A watch is `complete`
    when the match is over and all of it has been told.
    """

    def __init__(self, cursor: Cursor, *, views: bool = True) -> None:
        self.cursor = cursor
        self.complete = False
        self._views = views
        self._view_seq = 0
        self._ended = False
        self._odd_heartbeat = False
        self._futile = 0
        self._hashes = {cursor.seq: cursor.hash}

    def begin(self) -> None:
        """A new stream begins at the cursor."""
        self._odd_heartbeat = False

    def end(self) -> None:
        """The stream has ended well: the server has nothing more to tell."""
        self.complete = self.complete or self._ended

    def take(self, frame: match_pb2.Frame) -> Verdict:
        """What to do with the next frame.

        Raises HashMismatch when it shows another history; SeqGap or LogLostTail when the server, asked again and again,
        does not tell what follows the cursor.
        """
        what = frame.WhichOneof("what")
        if what == "step":
            return self._step(frame.step)
        if what == "view":
            return self._view(frame.view)
        if what == "joined":
            return self._joined(frame.joined.match)
        if what == "heartbeat":
            return self._heartbeat(Cursor.from_proto(frame.heartbeat.head))
        if what == "moved":
            self.end()
            return Verdict.RESUME
        return Verdict.DROP

    def _step(self, step: match_pb2.Step) -> Verdict:
        new = Cursor.from_proto(step.told.cursor)
        if new.seq <= self.cursor.seq:
            self._check_same(new)
            return Verdict.DROP
        if new.seq > self.cursor.seq + 1:
            return self._missing(new.seq)
        self._advance(new)
        has_view = step.HasField("view")
        if has_view:
            self._view_seq = new.seq
        self._ended = step.told.event.WhichOneof("body") in _LAST_EVENTS
        never_played = step.told.event.HasField("cancelled")
        self.complete = self._ended and (has_view or never_played or not self._views)
        return Verdict.TELL

    def _view(self, view: match_pb2.View) -> Verdict:
        at = Cursor.from_proto(view.cursor)
        if at.seq > self.cursor.seq:
            return self._missing(at.seq)
        self._check_same(at)
        self._ended = self._ended or (view.status in _OVER and at.seq == self.cursor.seq)
        self.complete = self._ended
        if at.seq < self.cursor.seq or at.seq <= self._view_seq:
            return Verdict.DROP
        self._view_seq = at.seq
        return Verdict.TELL

    def _joined(self, match: match_pb2.Match) -> Verdict:
        head = Cursor.from_proto(match.head)
        if head.seq < self.cursor.seq:
            return self._missing(head.seq)
        self._check_same(head)
        if match.status in _OVER and head.seq == self.cursor.seq:
            self._ended = True
            self.complete = not self._views or self._view_seq == head.seq
        return Verdict.DROP

    def _heartbeat(self, head: Cursor) -> Verdict:
        self._check_same(head)
        self.complete = self.complete or self._ended
        if head.seq == self.cursor.seq:
            self._odd_heartbeat, self._futile = False, 0
            return Verdict.DROP
        if self._odd_heartbeat:
            return self._missing(head.seq)
        self._odd_heartbeat = True  # one may cross an event on its way, two in a row do not
        return Verdict.DROP

    def _advance(self, new: Cursor) -> None:
        self.cursor = new
        self._odd_heartbeat, self._futile = False, 0
        self._hashes[new.seq] = new.hash
        self._hashes.pop(new.seq - _REMEMBERED, None)

    def _missing(self, told_seq: int) -> Verdict:
        self._futile += 1
        if self._futile > _PATIENCE:
            raise self._lost(told_seq)
        return Verdict.RESUME

    def _lost(self, told_seq: int) -> HamleError:
        metadata = {"seq": str(self.cursor.seq), "head_seq": str(told_seq)}
        if told_seq < self.cursor.seq:
            return LogLostTail(
                f"event {self.cursor.seq} was seen here, but the server's log ends at {told_seq}; an operator must "
                "accept the loss before play can go on",
                reason="LOG_LOST_TAIL",
                metadata=metadata,
            )
        return SeqGap(
            f"the server tells event {told_seq} but not {self.cursor.seq + 1}, the next one; its log may be damaged",
            metadata=metadata,
        )

    def _check_same(self, other: Cursor) -> None:
        mine = self._hashes.get(other.seq)
        if mine and other.hash and other.hash != mine:
            raise HashMismatch(
                f"the server's log holds another history at event {other.seq}; watch again from the beginning",
                reason="HASH_MISMATCH",
                metadata={"seq": str(other.seq), "head_seq": str(self.cursor.seq)},
            )
