"""The kit's suite over all variants."""

from __future__ import annotations

import pytest

from engines.kit.conformance import Case, Suite

_OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"last_chance": "on", "first": "high_cut_deals"},
    {"open_fronts": "on", "first": "high_cut_starts"},
    {"trim": "automatic", "first": "seat_1"},
    {"last_chance": "on", "open_fronts": "on", "first": "seat_0"},
    {"tactics": "off", "last_chance": "on", "open_fronts": "on"},
    {"series": "2"},
)

SUITE = Suite("engines.battleline:GAME", options=_OPTIONS)


@pytest.mark.parametrize("case", SUITE.cases(), ids=str)
def test_conforms(case: Case) -> None:
    case()
