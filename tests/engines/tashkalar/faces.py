"""All cards as text, as `tests/golden/tashkalar/cards.*.txt` hold them: `python -m tests.engines.tashkalar.faces`."""

from __future__ import annotations

from pathlib import Path

from engines.kit.catalogues import LANGUAGES
from engines.tashkalar.browser import faces

GOLDEN = Path(__file__).parents[2] / "golden" / "tashkalar"


def book(language: str) -> str:
    """Every card with its diagram and texts, decks in order."""
    cards = []
    for face in faces("", language):
        lines = [f"{face.name} ({face.key}): {face.deck}, {face.kind}".removesuffix(", ")]
        lines += ["  " + "".join(row).rstrip() for row in face.diagram]
        lines += [f"  {told}" for told in face.legend]
        lines += [f"  {heading}: {text}" for heading, text in face.says]
        cards.append("\n".join(lines))
    return "\n\n".join(cards) + "\n"


def file(language: str) -> Path:
    return GOLDEN / f"cards.{language}.txt"


if __name__ == "__main__":
    for each in LANGUAGES:
        file(each).parent.mkdir(exist_ok=True)
        file(each).write_text(book(each), encoding="utf-8")
