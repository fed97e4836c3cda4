from __future__ import annotations

import pytest
from hamle.match.v1.match_pb2 import GameInfo, OptionInfo

from cli.commands.games import _shown
from cli.errors import Stop
from cli.values import in_full

ONE, OTHER, THIRD = (f"{name}-{digit * 64}" for name, digit in (("mine", "0"), ("house", "1"), ("mine", "2")))
INFO = GameInfo(
    options=[
        OptionInfo(name="deck", values=[OTHER, ONE], material=True),
        OptionInfo(name="start", values=["mine"], default_value="mine"),
    ]
)


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ({}, {}),
        ({"deck": "mine"}, {"deck": ONE}),
        ({"deck": ONE}, {"deck": ONE}),
        ({"deck": "min"}, {"deck": "min"}),
        ({"deck": ""}, {"deck": ""}),
        ({"start": "mine", "deck": "house", "other": "mine"}, {"start": "mine", "deck": OTHER, "other": "mine"}),
    ],
)
def test_names_of_files_are_written_out(given: dict[str, str], full: dict[str, str]) -> None:
    assert in_full(INFO, given) == full


def test_a_name_that_several_have_is_not_guessed() -> None:
    info = GameInfo(options=[OptionInfo(name="deck", values=[ONE, THIRD], material=True)])
    with pytest.raises(Stop, match=f"{ONE}, {THIRD}"):
        in_full(info, {"deck": "mine"})
    assert in_full(info, {"deck": THIRD}) == {"deck": THIRD}


def test_the_table_of_games_shows_what_can_be_typed() -> None:
    deck = OptionInfo(name="deck", values=[OTHER, ONE], default_value=OTHER, material=True)
    assert _shown(deck) == ["house", "mine"]
    deck.values.append(THIRD)
    assert _shown(deck) == ["house", ONE, THIRD]
    assert _shown(INFO.options[1]) == ["mine"]
