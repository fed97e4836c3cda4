"""What a player or watcher of a match sees: the board, and below it what happened last."""

from __future__ import annotations

import shutil
import time
from collections import deque

from hamle.match.v1 import match_pb2
from hamle_client import Step, View

from cli.fit import fitted, latest, menu_rows
from cli.output import say
from cli.render import WIDEST, board, clock_line, event_line
from cli.words import word

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_REMARKS_KEPT = 8


def _nothing(text: str) -> None:
    pass


class Screen:
    """Shows the steps of one match. On a terminal each board replaces the last; elsewhere all is printed in order.

    `mute` prints nothing: what is typed is obeyed all the same.
    """

    def __init__(self, info: match_pb2.GameInfo, language: str, *, redraws: bool, mute: bool = False) -> None:
        self.info = info
        self.language = language
        self.seat: int | None = None
        self.view: View | None = None
        self._redraws = redraws
        self._say = _nothing if mute else say
        self._remarks: deque[str] = deque(maxlen=_REMARKS_KEPT)

    @property
    def columns(self) -> int:
        """How wide lines may be."""
        return shutil.get_terminal_size().columns if self._redraws else WIDEST

    def show(self, step: Step) -> None:
        """Shows an event, and the board when the step has one."""
        line = event_line(step, self.info, seat=self.seat, language=self.language)
        if line:
            self._remarks.append(line)
            if not self._redraws:
                self._say(line)
        if step.view is not None:
            self.view = step.view
        if self._redraws:
            self.draw()
        elif step.view is not None:
            self._say(self._board(step.view))

    def tell(self, text: str) -> None:
        """Shows a remark."""
        self._remarks.append(text)
        if self._redraws:
            self.draw()
        else:
            self._say(text)

    def refresh(self) -> None:
        """Draws all anew where that replaces what was drawn, with the clocks as they are now."""
        if self._redraws:
            self.draw()

    def draw(self) -> None:
        """Draws all anew; on a terminal only. Where room is scarce, the older remarks go."""
        columns, rows = shutil.get_terminal_size()
        board = [] if self.view is None else [*fitted(self._board(self.view), columns).split("\n"), ""]
        room = rows - 1 - menu_rows(rows) - len(board)
        remarks = latest([fitted(remark, columns) for remark in self._remarks], room)
        used = sum(remark.count("\n") + 1 for remark in remarks)
        if board and used > room:
            board[-1] = fitted(word("above", self.language, hidden=used - room), columns)
        self._say(CLEAR + "\n".join([*board, *remarks]))

    def _board(self, view: View) -> str:
        shown = board(self.info.game, view.game, seat=self.seat, is_over=view.is_over, language=self.language)
        if view.clock is None:
            return shown
        now_ms = int(time.time() * 1000)
        return f"{shown}\n{clock_line(view.clock, seat=self.seat, now_ms=now_ms, language=self.language)}"
