"""What a player or watcher of a match sees: the board, and below it what happened last."""

from __future__ import annotations

from collections import deque

from hamle.match.v1 import match_pb2
from hamle_client import Step, View

from cli.output import say
from cli.render import board, event_line

CLEAR = "\x1b[2J\x1b[3J\x1b[H"
_LINES_KEPT = 8


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
        self._lines: deque[str] = deque(maxlen=_LINES_KEPT)

    def show(self, step: Step) -> None:
        """Shows an event, and the board when the step has one."""
        line = event_line(step, self.info, seat=self.seat, language=self.language)
        if line:
            self._lines.append(line)
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
        self._lines.append(text)
        if self._redraws:
            self.draw()
        else:
            self._say(text)

    def draw(self) -> None:
        """Draws all anew; on a terminal only."""
        shown = [] if self.view is None else [self._board(self.view), ""]
        self._say(CLEAR + "\n".join([*shown, *self._lines]))

    def _board(self, view: View) -> str:
        return board(self.info.game, view.game, seat=self.seat, is_over=view.is_over, language=self.language)
