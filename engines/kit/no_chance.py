"""The `Draw` of games in which nothing is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Never

from engines.kit.game import Draw


class NoChance:
    """Draws nothing: both methods raise AssertionError, with the purpose."""

    def below(self, n: int, purpose: str) -> Never:
        """Never gives a number."""
        raise AssertionError(f"nothing may be drawn here, but a number was asked for: {purpose}")

    def shuffle(self, items: Sequence[object], purpose: str) -> Never:
        """Never gives an order."""
        raise AssertionError(f"nothing may be drawn here, but an order was asked for: {purpose}")


NO_CHANCE: Final[Draw] = NoChance()
