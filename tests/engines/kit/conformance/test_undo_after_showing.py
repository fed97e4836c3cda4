"""Games whose rules let a seat take back what showed its own cards: allowed, but nothing that was drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import pytest

from engines.kit.conformance import NotConforming, Suite
from engines.kit.state import AnyGame
from tests.engines.kit.cardgame.game import Cellar
from tests.engines.kit.cardgame.state import State


class Open(Cellar):
    """Any move can be taken back, and the rules are said to allow it."""

    info = replace(Cellar.info, undo_after_showing=True)

    def barrier(self, before: State, after: State) -> bool:
        return False


def inspected(game: Any, matches: int) -> int:
    suite = Suite("tests.engines.kit.cardgame.game:GAME")
    return sum(suite.inspect(cast(AnyGame, game), seed, leaks_only=True) for seed in range(matches))


def test_what_was_drawn_is_a_barrier_all_the_same() -> None:
    with pytest.raises(NotConforming, match="which can be undone"):
        inspected(Open(), 60)
