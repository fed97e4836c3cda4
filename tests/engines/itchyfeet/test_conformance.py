"""The kit's suite over two to six seats and every mix of extensions."""

from __future__ import annotations

from itertools import product

import pytest

from engines.kit.conformance import Case, Suite
from tests.engines.itchyfeet.table import EXTENSIONS, eager

_MIXES = [
    {name: "on" for name, on in zip(EXTENSIONS, mix, strict=True) if on}
    for mix in product((True, False), repeat=len(EXTENSIONS))
]
_OPTIONS = [*_MIXES, {"special_items": "on", "reaction_ms": "15000"}]
"""Every mix of the extensions, and another limit of the window."""

SUITE = Suite("engines.itchyfeet:GAME", options=_OPTIONS, picker=eager)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("case", SUITE.cases(), ids=str)
def test_conforms(case: Case) -> None:
    case()
