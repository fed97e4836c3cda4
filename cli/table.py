"""A player at a match: what happens and what is typed, whichever comes first."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from hamle_client import HamleError, Match, Step

from cli.asking import Asker
from cli.choices import ChoiceTree
from cli.errors import explain
from cli.render import choice_list
from cli.screen import Screen
from cli.words import word

HELP = """A move in the game's notation, or its beginning to see how it can go on; several moves are made together.
  choices [BEGINNING]   the legal ways to begin, or to go on
  Enter alone           draw all anew, with the clocks as they are now
  undo                  take the last move back
  resign                give up
  quit                  leave; the match waits, and `{again}` comes back to it"""


class Table:
    """One seat at a match, from sitting down until the match is over or the player leaves.

    `again` is the command that comes back to it.
    """

    def __init__(self, match: Match, screen: Screen, tree: ChoiceTree, asker: Asker, again: str) -> None:
        self._match = match
        self._screen = screen
        self._tree = tree
        self._asker = asker
        self._again = again
        self._default = ""
        self.moves = 0

    async def play(self) -> bool:
        """Plays; True when the match is over, False when the player has left before."""
        steps = self._match.watch()
        coming: asyncio.Task[Step | None] = asyncio.create_task(_next(anext(steps, None)))
        asking: asyncio.Task[str | None] | None = None
        try:
            while True:
                if asking is None and (self._is_awaited() or self._asks_always()):
                    asking = asyncio.create_task(self._ask())
                await asyncio.wait({coming, *([asking] if asking else [])}, return_when=asyncio.FIRST_COMPLETED)
                if asking is not None and asking.done():
                    line, asking = asking.result(), None
                    if line is None or not await self._obey(line):
                        return False
                if coming.done():
                    step = coming.result()
                    if asking is not None:
                        await _cancelled(asking)
                        asking = None
                    if step is None:
                        return True
                    self._take(step)
                    coming = asyncio.create_task(_next(anext(steps, None)))
        finally:
            await _cancelled(coming)
            if asking is not None:
                await _cancelled(asking)
            await steps.aclose()

    def _is_awaited(self) -> bool:
        view, seat = self._screen.view, self._match.seat
        return view is not None and seat in view.awaited and view.seq >= self._match.acted_seq

    def _asks_always(self) -> bool:
        # Lines that are not typed by hand are moves made in advance: each waits for its turn.
        return self._asker.redraws and self._screen.view is not None

    def _ask(self) -> Coroutine[Any, Any, str | None]:
        default, self._default = self._default, ""
        question = "your_move" if self._is_awaited() else "not_your_move"
        return self._asker.ask(word(question, self._screen.language), default)

    def _take(self, step: Step) -> None:
        self._screen.seat = self._match.seat
        if step.view is not None:
            self._tree.forget()
        self._screen.show(step)

    async def _obey(self, line: str) -> bool:
        """Does what was typed; False when the player leaves."""
        command, *rest = line.split() or [""]
        try:
            match command:
                case "":
                    self._screen.refresh()
                case "quit" | "q":
                    return False
                case "help" | "?":
                    self._screen.tell(HELP.format(again=self._again))
                case "choices":
                    await self._list(" ".join(rest))
                case "undo":
                    await self._match.undo()
                case "resign":
                    await self._match.resign()
                case _:
                    await self._move([command, *rest])
        except HamleError as error:
            self._screen.tell(explain(error))
        return True

    async def _move(self, moves: list[str]) -> None:
        typed = moves[-1]
        if len(moves) == 1 and not await self._tree.is_complete(typed):
            further = await self._tree.unfold(typed)
            if await self._list(further):
                self._default = further
                return
        seen = None if self._screen.view is None else self._screen.view.cursor
        await self._match.submit(*moves, expected=seen)
        self.moves += len(moves)

    async def _list(self, beginning: str) -> bool:
        choices = await self._tree.suggest(beginning)
        if choices:
            self._screen.tell(choice_list(choices, self._screen.columns))
        return bool(choices)


async def _next(step: Any) -> Step | None:
    found: Step | None = await step
    return found


async def _cancelled(task: asyncio.Task[Any]) -> None:
    """Ends a task that is no longer wanted. One that has failed by itself is no failure of the caller's."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()
