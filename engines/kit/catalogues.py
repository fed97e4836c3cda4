"""The sentences of a game, by language: JSON files in its folder `locale`, read once, when the game is imported."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

LANGUAGES: Final = ("en", "tr")
"""Languages that every game speaks; the first is for all others."""


def read_texts(file: Path) -> Mapping[str, str]:
    """Texts by key."""
    texts: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return texts


def card_texts(folder: Path, language: str) -> Mapping[str, str]:
    """What cards say, of `cards.LANGUAGE.json`; a region, as in `tr-TR`, does not matter, and English is for others."""
    short = language.partition("-")[0]
    return _kept(folder / f"cards.{short if short in LANGUAGES else LANGUAGES[0]}.json")


def read_catalogues(folder: Path) -> dict[str, Mapping[str, str]]:
    """The texts of `en.json` and `tr.json`, by language, as `GameInfo.catalogues` holds them."""
    return {language: read_texts(folder / f"{language}.json") for language in LANGUAGES}


_kept = cache(read_texts)
