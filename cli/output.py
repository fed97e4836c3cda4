"""What commands print: text for people, one JSON object on one line for programs, progress and errors on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TextIO

Advance = Callable[[int], None]
_bars: list[str] = []


def say(text: str = "") -> None:
    """A line, or several, for people on stdout; exactly as it is."""
    print(text, flush=True)


def complain(text: str) -> None:
    """A line, or several, on stderr."""
    print(text, file=sys.stderr, flush=True)


def emit(data: Mapping[str, Any]) -> None:
    """One JSON object on one line of stdout."""
    print(json.dumps(data, ensure_ascii=False, separators=(",", ":")), flush=True)


def tabulate(headings: list[str], rows: list[list[str]]) -> None:
    """A table on stdout."""
    from rich.console import Console  # here, for it takes longer to import than most commands to run
    from rich.table import Table

    table = Table()
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*row)
    console = Console(markup=False, highlight=False)
    console.print(table)


def on_terminal(*streams: TextIO | None) -> bool:
    """Whether all of these are terminals; a standard stream that was closed before the program began is None."""
    return all(stream is not None and stream.isatty() for stream in streams)


def unheard(steps: int) -> None:
    """Progress that nobody is shown."""


@contextmanager
def progress(description: str, total: int | None = None, *, shown: bool = True) -> Iterator[Advance]:
    """A progress bar on stderr while the block runs, if that is a terminal. The block calls the function with steps.

    Within the block of another one there is no second bar: both would draw over the same line.
    """
    if _bars or not shown or not on_terminal(sys.stderr):
        yield unheard
        return
    from rich.console import Console  # as above
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total)
        _bars.append(description)
        try:
            yield lambda steps: bar.advance(task, steps)
        finally:
            _bars.remove(description)
