"""Lines of a text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

MOST: Final = 80
"""Columns after which a list goes on in the next line: as many as most terminals have (`Game.text` may take more)."""


def wrapped(head: str, words: Sequence[str]) -> list[str]:
    """The head with the words after it, lines that follow indented as far as the head is long; no words, no lines."""
    if not words:
        return []
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > MOST:
            lines.append(" " * len(head))
        lines[-1] += f" {word}"
    return lines
