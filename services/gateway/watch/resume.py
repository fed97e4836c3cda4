"""What a watcher is still owed: each event once and in order, whichever engine tells it, and however often it changes.

Pure: frames go in as (kind, seq), a decision comes out. An engine begins every watch with `joined`, the events after
the cursor without views, and one `view` at the head; then come the events with their views.
"""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """What to do with a frame."""

    SEND = "send"
    DROP = "drop"
    RESUME = "resume"
    """Something is missing, or the engine hands the watch over: watch again from the cursor."""


class Resume:
    """Follows what was sent to one watcher. `seq` is the last event that he has."""

    __slots__ = ("_catching_up", "_greeted", "_view_due", "seq")

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self._greeted = False
        self._view_due = True
        self._catching_up = True

    def again(self) -> None:
        """The watch begins again, from `seq`, at this engine or another."""
        self._catching_up = True

    def judge(self, kind: str, seq: int) -> Verdict:
        """The fate of a frame; `seq` is the event's for `step`, the state's for `view`. A sent frame counts as seen."""
        if kind == "step":
            if seq == self.seq + 1:
                self.seq = seq
                self._view_due = self._catching_up
                return Verdict.SEND
            return Verdict.DROP if seq <= self.seq else Verdict.RESUME
        if kind == "view":
            return self._view(seq)
        if kind == "joined":
            if self._greeted:
                return Verdict.DROP
            self._greeted = True
            return Verdict.SEND
        return Verdict.RESUME if kind == "moved" else Verdict.SEND

    def _view(self, seq: int) -> Verdict:
        if seq > self.seq:
            return Verdict.RESUME
        self._catching_up = False
        if seq < self.seq or not self._view_due:
            return Verdict.DROP
        self._view_due = False
        return Verdict.SEND
