"""Every effect against its cases, and the proof that the cases would notice if it did nothing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from engines.kit.game import IllegalMove
from engines.tashkalar.cards import BEINGS, FLARES
from engines.tashkalar.effects import EFFECTS, FROZEN, HALVES, IDLE, WARPS
from engines.tashkalar.scene import Scene
from tests.engines.tashkalar.cases import Case, number

_FILES = sorted(path.stem for path in (Path(__file__).parent / "effects").glob("*.py"))
CASES: list[Case] = [case for name in _FILES for case in import_module(f"tests.engines.tashkalar.effects.{name}").CASES]


def _all_effects() -> list[tuple[str, str, Mapping[Any, Any], Any]]:
    """(kind, key of the card, the table that holds the effect, its place there)."""
    found: list[tuple[str, str, Mapping[Any, Any], Any]] = []
    for kind, table in (("being", EFFECTS), ("frozen", FROZEN), ("warp", WARPS)):
        found += [(kind, BEINGS[card].key, table, card) for card in table if not (kind == "being" and card in IDLE)]
    return found + [("flare", FLARES[card].key, HALVES, (card, half)) for card, half in HALVES]


def nothing(g: Scene) -> None:
    """An effect that does nothing."""


def _fails(case: Case) -> bool:
    try:
        case.check()
    except (AssertionError, IllegalMove):
        return True
    return False


@pytest.mark.parametrize("case", CASES, ids=str)
def test_effect_does_what_the_card_says(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(
    ("kind", "key", "table", "at"), _all_effects(), ids=lambda part: part if isinstance(part, str) else ""
)
def test_cases_notice_an_effect_that_does_nothing(
    kind: str, key: str, table: dict[Any, Any], at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = [case for case in CASES if case.card == key and case.kind == kind]
    assert len(mine) > 1, f"{key} has too few cases for its {kind} effect"
    monkeypatch.setitem(table, at, nothing)
    assert any(_fails(case) for case in mine)


def test_cases_are_told_apart_by_their_names() -> None:
    names = [str(case) for case in CASES]
    assert len(set(names)) == len(names)


def test_cards_with_cases_are_cards() -> None:
    assert all(number(case.card) >= 0 for case in CASES)
