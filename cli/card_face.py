"""Cards of a game on the terminal: one as its diagram beside what it does, several as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from engines.kit.faces import Face

_STYLES: Final = {"C": "bold cyan", "H": "bold yellow", "[": "bold reverse", ".": "dim", "*": "magenta", "o": "blue"}
_WIDEST: Final = 100


def show_card(face: Face) -> None:
    """The card in a frame."""
    parts: list[Any] = []
    if face.diagram:
        drawing = Table.grid(padding=(0, 3))
        drawing.add_row(_drawn(face.diagram), Text("\n".join(face.legend), "dim"))
        parts += [drawing, Text()]
    for heading, text in face.says:
        parts.append(Text.assemble((f"{heading}: ", "bold"), text))
    _print(Panel(Group(*parts), title=Text(face.name, "bold"), subtitle=_subtitle(face), title_align="left"))


def show_cards(headings: Sequence[str], faces: Iterable[Face]) -> None:
    """The cards in a table, with the columns name, deck, rank or type, and text."""
    table = Table(*headings)
    for face in faces:
        told = [text if len(face.says) == 1 else f"{heading}: {text}" for heading, text in face.says]
        table.add_row(face.name, face.deck, face.kind, "\n".join(told))
    _print(table)


def _drawn(diagram: Sequence[Sequence[str]]) -> Text:
    return Text("\n").join(Text.assemble(*((cell, _style(cell)) for cell in row)) for row in diagram)


def _style(cell: str) -> str:
    return _STYLES.get(cell.strip()[:1], "green")


def _subtitle(face: Face) -> Text:
    return Text(" · ".join(part for part in (face.deck, face.kind) if part))


def _print(what: Any) -> None:
    console = Console(markup=False, highlight=False)
    console.print(what, width=min(console.width, _WIDEST))
