"""Text fitted to a terminal. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

_DEEPER = 4
_FEWEST, _MOST = 2, 8


def menu_rows(rows: int) -> int:
    """How many of a terminal's rows are kept for what the line that is typed in offers below it."""
    return max(_FEWEST, min(_MOST, rows // 8))


def fitted(text: str, columns: int) -> str:
    """The text with lines that are too long broken between words; what follows a break is indented."""
    return "\n".join(part for line in text.split("\n") for part in _broken(line, columns))


def _broken(line: str, columns: int) -> list[str]:
    if len(line) <= columns:
        return [line]
    indent = " " * min(len(line) - len(line.lstrip()) + _DEEPER, columns // 2)
    return textwrap.wrap(line, columns, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def latest(remarks: Sequence[str], rows: int) -> list[str]:
    """The newest remarks that fit into so many rows together, in their order; the newest one in any case."""
    found: list[str] = []
    for remark in reversed(remarks):
        rows -= remark.count("\n") + 1
        if found and rows < 0:
            break
        found.append(remark)
    return found[::-1]
