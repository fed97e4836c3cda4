"""The kit's suite over both starts and every option."""

from __future__ import annotations

import pytest

from engines.kit.conformance import Case, Suite

_OPTIONS: tuple[dict[str, str], ...] = (
    {"start": "ocius"},
    {},
    {"start": "ocius", "exchange_cost": "1"},
    {"start": "ocius", "cura": "on"},
    {"start": "ocius", "repetition_draw": "off"},
    {"start": "ocius", "dead_position_draw": "off"},
)

SUITE = Suite("engines.coerceo:GAME", options=_OPTIONS)


@pytest.mark.parametrize("case", SUITE.cases(), ids=str)
def test_conforms(case: Case) -> None:
    case()
