"""Sentences of a game, read from its folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engines.kit.catalogues import LANGUAGES, read_catalogues


def test_each_language_has_its_file(tmp_path: Path) -> None:
    for language in LANGUAGES:
        (tmp_path / f"{language}.json").write_text(json.dumps({"won": f"{language}: çğş"}), encoding="utf-8")
    assert read_catalogues(tmp_path) == {language: {"won": f"{language}: çğş"} for language in LANGUAGES}


def test_a_language_without_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "en.json").write_text("{}")
    with pytest.raises(FileNotFoundError, match=r"tr\.json"):
        read_catalogues(tmp_path)
