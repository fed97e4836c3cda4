"""Where nothing may be drawn, a draw says what it was for."""

from __future__ import annotations

import pytest

from engines.kit.no_chance import NO_CHANCE


def test_a_draw_is_refused_with_its_purpose() -> None:
    with pytest.raises(AssertionError, match="number was asked for: cut"):
        NO_CHANCE.below(6, "cut")
    with pytest.raises(AssertionError, match="order was asked for: deck"):
        NO_CHANCE.shuffle((1, 2), "deck")
