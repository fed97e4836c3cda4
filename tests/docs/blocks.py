"""Fenced blocks of a page, and what their first line says of how they are run.

```sh run                     run by bash; variables and functions last to the end of the page
```python run                 run as a program of its own
```sh run terminals=2         run twice at the same time
```sh run stdin=resign        typed into it, with a newline
```sh run exit=1              ends with this code
```sh run needs=openssl       left out where there is no such program
```text output                what the block before prints; … stands for anything, on a line of its own for any lines
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from deploy.local.member import ROOT

_FENCE: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_WORDS: Final = {"run", "output", "terminals", "stdin", "exit", "needs"}


class Block(NamedTuple):
    """A fenced block: where it begins, its language, the other words of its first line, its text."""

    page: str
    line: int
    language: str
    words: dict[str, str]
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def pages() -> list[Path]:
    """The pages whose blocks are run and whose links must hold."""
    clients = sorted((ROOT / "clients").glob("*/README.md"))
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), *clients]


def title(path: Path) -> str:
    """A page's path from the root of the source tree."""
    return str(path.relative_to(ROOT))


def blocks(path: Path) -> list[Block]:
    """All blocks of a page, in order."""
    return list(parse(path.read_text(encoding="utf-8"), title(path)))


def parse(text: str, page: str) -> Iterator[Block]:
    """The blocks of a page's text. Raises ValueError for a word that means nothing."""
    for found in _FENCE.finditer(text):
        language, *words = found[1].split() or [""]
        known = dict(word.partition("=")[::2] for word in words)
        line = text[: found.start()].count("\n") + 1
        if not known.keys() <= _WORDS:
            raise ValueError(f"{page}:{line}: {found[1]!r} has words that mean nothing here")
        yield Block(page, line, language, known, found[2])


def without_blocks(text: str) -> str:
    """The prose of a page."""
    return _FENCE.sub("", text)


def matches(expected: str, printed: str) -> bool:
    """Whether what was printed is what the page shows, but for spaces at both ends of lines."""
    pattern = "".join(map(_pattern, expected.splitlines()))
    return re.fullmatch(pattern, "".join(f"{line.strip()}\n" for line in printed.splitlines())) is not None


def _pattern(line: str) -> str:
    if line.strip() == "…":
        return r"(?:.*\n)*?"
    return "[^\n]*".join(map(re.escape, line.strip().split("…"))) + r"\n"
