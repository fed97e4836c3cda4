"""Asking the player for a line: with completion on a terminal, plain lines from anything else."""

from __future__ import annotations

import asyncio
import shutil
import sys
import threading
from io import TextIOWrapper
from typing import Protocol, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from cli.choices import ChoiceTree, MoveCompleter
from cli.fit import menu_rows
from cli.output import on_terminal


class Asker(Protocol):
    """Asks for lines. `redraws` says whether the screen is a terminal on which boards replace each other."""

    redraws: bool

    async def ask(self, question: str, default: str = "") -> str | None:
        """The line; None when there will be no more. Cancelling keeps what was typed for the next time."""
        ...


class TerminalAsker:
    """Asks on a terminal, with completion of moves. An empty line shows the hint."""

    redraws = True

    def __init__(
        self, tree: ChoiceTree, hint: str = "", *, input: Input | None = None, output: Output | None = None
    ) -> None:
        self._session: PromptSession[str] = PromptSession(
            completer=MoveCompleter(tree),
            complete_while_typing=True,
            placeholder=[("class:auto-suggestion", hint)],
            erase_when_done=True,
            input=input,
            output=output,
        )
        self._typed = ""

    @property
    def typing(self) -> str:
        """What stands in the line now."""
        return self._session.default_buffer.text

    async def ask(self, question: str, default: str = "") -> str | None:
        """The line; None on Ctrl-C or Ctrl-D."""
        before, self._typed = default or self._typed, ""
        self._session.reserve_space_for_menu = menu_rows(shutil.get_terminal_size().lines)
        try:
            return (await self._session.prompt_async(f"{question}> ", default=before)).strip()
        except (EOFError, KeyboardInterrupt):
            return None
        except asyncio.CancelledError:
            self._typed = self.typing
            raise


class LineAsker:
    """Takes lines from a stream that is no terminal, one for each question; prints no prompt.

    A thread reads: not every kind of file can be waited for otherwise. It is a daemon, for nothing can end its wait.
    """

    redraws = False

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream: TextIO | None = stream or sys.stdin
        if isinstance(self._stream, TextIOWrapper):
            # A line in another encoding is a line too, for the game to refuse.
            self._stream.reconfigure(errors="replace")
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._thread: threading.Thread | None = None

    async def ask(self, question: str, default: str = "") -> str | None:
        """The next line; None at the end of the stream."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._read, name="lines", daemon=True)
            self._thread.start()
        return await self._lines.get()

    def _read(self) -> None:
        try:
            for line in self._stream or ():
                self._tell(line.strip())
        except (OSError, ValueError):
            pass  # it cannot be read, or was closed because the program ends
        self._tell(None)

    def _tell(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def asker_for(tree: ChoiceTree, hint: str) -> Asker:
    """The asker that fits the standard streams."""
    return TerminalAsker(tree, hint) if on_terminal(sys.stdin, sys.stdout) else LineAsker()
