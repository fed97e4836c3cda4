"""The kit's suite over two to six seats and mixes of extensions."""

from __future__ import annotations

import pytest

from engines.kit.conformance import Case, Suite
from tests.engines.itchyfeet.table import ALL_ON, eager

_OPTIONS: tuple[dict[str, str], ...] = (
    ALL_ON,
    {},
    {"special_items": "on", "reaction_ms": "15000"},
    {"events": "on", "characters": "on"},
    {"contraband": "on", "characters": "on", "special_items": "on"},
    {"postcards": "on", "events": "on", "special_items": "on"},
    {"characters": "on"},
)

SUITE = Suite("engines.itchyfeet:GAME", options=_OPTIONS, picker=eager)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("case", SUITE.cases(), ids=str)
def test_conforms(case: Case) -> None:
    case()
