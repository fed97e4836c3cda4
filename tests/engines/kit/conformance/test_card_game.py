from __future__ import annotations

import pytest

from engines.kit.conformance import Case, Suite


@pytest.mark.parametrize("case", Suite("tests.engines.kit.cardgame:GAME", positions=1).cases(), ids=str)
def test_the_card_game_conforms(case: Case) -> None:
    case()
