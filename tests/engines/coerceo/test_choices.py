from __future__ import annotations

import pytest

from engines.coerceo.apply import leave, play
from engines.coerceo.choices import legal_moves
from engines.coerceo.game import GAME
from engines.coerceo.state import State
from engines.coerceo.tables import EXCHANGES, STEPS
from engines.kit.game import Choice, IllegalMove
from tests.engines.coerceo.positions import random_game, start, written

EVERY_TEXT = [move for steps in STEPS for move in steps] + [move for texts in EXCHANGES for move in texts]
SAMPLE = random_game(21, 700)[::35] + random_game(22, 300, start="ocius", exchange_cost="1")[::20]


def reached(state: State, prefix: str = "") -> set[str]:
    """All complete moves that the parts lead to."""
    found = set()
    for choice in GAME.choices(state, state.turn, prefix):
        assert choice.text.startswith(prefix)
        assert len(choice.text) > len(prefix)
        found |= {choice.text} if choice.complete else reached(state, choice.text)
    return found


def taken(state: State) -> set[str]:
    """All moves that `apply` takes, of every text that is a move in some position."""
    found = set()
    for move in EVERY_TEXT:
        try:
            play(state, state.turn, move)
        except IllegalMove:
            continue
        found.add(move)
    return found


@pytest.mark.parametrize("index", range(len(SAMPLE)))
def test_choices_and_apply_agree_both_ways(index: int) -> None:
    state = SAMPLE[index][0]
    assert reached(state) == taken(state) == set(legal_moves(state))
    assert len(legal_moves(state)) == len(set(legal_moves(state)))


def test_every_part_leads_to_a_move() -> None:
    for state, _ in SAMPLE:
        for choice in GAME.choices(state, state.turn):
            assert not choice.complete
            assert GAME.choices(state, state.turn, choice.text)


def test_first_parts_are_the_pieces_that_can_move() -> None:
    state = written("all", "a3a c1c c5a c5c c5e b4e c4a c4e d4a", "c5b c5d", "W", "0,0")
    names = {choice.text for choice in GAME.choices(state, 0)}
    assert names == {"a3a-", "c1c-", "b4e-", "c4a-", "c4e-", "d4a-"}
    assert Choice("b4e-", ("field:b4e",), False) in GAME.choices(state, 0)


def test_second_parts_are_the_targets_of_the_piece() -> None:
    assert list(GAME.choices(start(), 0, "d1e-")) == [
        Choice("d1e-d1a", ("field:d1a",)),
        Choice("d1e-d1c", ("field:d1c",)),
        Choice("d1e-e1a", ("field:e1a",)),
    ]


def test_an_exchange_is_offered_with_enough_tiles_only() -> None:
    poor = written("all", "a3a c1c", "c5f e3f", "W", "1,9")
    assert "x" not in {choice.text for choice in GAME.choices(poor, 0)}
    assert list(GAME.choices(poor, 0, "x")) == []
    rich = poor._replace(stock_white=2)
    assert Choice("x", ("stock:0",), False) in GAME.choices(rich, 0)
    assert list(GAME.choices(rich, 0, "x")) == [Choice("xc5f", ("field:c5f",)), Choice("xe3f", ("field:e3f",))]
    assert Choice("x", ("stock:1",), False) in GAME.choices(rich._replace(turn=1), 1)


def test_the_beginning_of_a_part_finds_the_part() -> None:
    state = start()
    assert {choice.text for choice in GAME.choices(state, 0, "d1")} == {"d1e-"}
    assert {choice.text for choice in GAME.choices(state, 0, "c")} == {"c4a-", "c4e-", "c5a-", "c5e-"}
    assert {choice.text for choice in GAME.choices(state, 0, "d1e-d")} == {"d1e-d1a", "d1e-d1c"}


@pytest.mark.parametrize(
    "prefix", ["d1e-d1c", "d1e-d1cc", "z", "d1c-", "c1b-", "a4a-", "d1e+", "x", "xc", "-", "d1e--"]
)
def test_what_nothing_begins_with_has_no_choices(prefix: str) -> None:
    assert list(GAME.choices(start(), 0, prefix)) == []


def test_who_is_not_to_move_has_no_choices() -> None:
    assert list(GAME.choices(start(), 1)) == []
    assert list(GAME.choices(leave(start(), 1), 0)) == []
    assert legal_moves(leave(start(), 1)) == []
