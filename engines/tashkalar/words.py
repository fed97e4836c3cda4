"""What the cards say, restated in our own words: English and Turkish. Names of cards are as printed, in both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from engines.kit import catalogues

_FOLDER: Final = Path(__file__).parent / "locale"


def card_texts(language: str) -> Mapping[str, str]:
    """All texts of the cards by key; English for a language that has none.

    `effect.KEY`, `frozen.KEY`, `warp.KEY` of beings, `flare.NUMBER.upper` and `.lower`, `task.KEY`, and `label.*`.
    """
    return catalogues.card_texts(_FOLDER, language)
