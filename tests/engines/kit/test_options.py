"""Options in full: defaults filled in, and what the game does not take is named."""

from __future__ import annotations

import pytest

from engines.kit.options import OptionWrong, full_options
from tests.engines.kit.cardgame import GAME


def test_what_is_not_named_has_its_default() -> None:
    assert full_options(GAME.info, {}) == {"rounds": "3", "reaction_ms": "0"}
    assert full_options(GAME.info, {"rounds": "5"}) == {"rounds": "5", "reaction_ms": "0"}


@pytest.mark.parametrize(
    ("given", "name", "value", "expected"),
    [
        ({"rounds": "6"}, "rounds", "6", "one of 3, 1, 5"),
        ({"rounds": "5", "colour": "red"}, "colour", "red", "one of the options rounds, reaction_ms"),
        ({"colour": "red", "beep": "on"}, "beep", "on", "one of the options rounds, reaction_ms"),
    ],
)
def test_what_the_game_does_not_take_is_named(given: dict[str, str], name: str, value: str, expected: str) -> None:
    with pytest.raises(OptionWrong) as wrong:
        full_options(GAME.info, given)
    assert (wrong.value.name, wrong.value.value, wrong.value.expected) == (name, value, expected)
    assert str(wrong.value).startswith(f"{GAME.info.game} does not take the option {name}={value}")
