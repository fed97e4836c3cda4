from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.coerceo.apply import leave, play
from engines.coerceo.choices import legal_moves
from engines.coerceo.tables import EXCHANGES, STEPS
from engines.kit.game import IllegalMove
from tests.engines.coerceo.positions import random_game, start, written

POSITION = written("all but a1", "a3a c3a c3e c4c e1c", "c3d c3f c5f e3f", "W", "1,0")
RICH = POSITION._replace(stock_white=2)


@pytest.mark.parametrize(
    ("move", "what", "rule", "expected"),
    [
        ("", "no notation", "§2", "a move like d1e-d1c or an exchange like xc3f"),
        ("c3a", "no notation", "§2", "a move like"),
        ("c3a-", "no notation", "§2", "a move like"),
        ("c3a-c3c ", "no notation", "§2", "a move like"),
        ("C3A-C3C", "no notation", "§2", "a move like"),
        ("c3a-c3c*c3f", "no notation", "§2", "without annotations"),
        ("x", "no notation", "§2", "an exchange like xc3f"),
        ("c3a-c3c\0", "no notation", "§2", "a move like"),
        ("c٣a-c3c", "no notation", "§2", "a move like"),
        ("a4a-a3a", "there is no field a4a", "§2", "3, 4, 5, 4 and 3 tiles"),
        ("c3a-e4a", "there is no field e4a", "§2", "3, 4, 5, 4 and 3 tiles"),
        ("xb5b", "there is no field b5b", "§2", "3, 4, 5, 4 and 3 tiles"),
        ("c2a-c3c", "c2a is empty", "§4 A", "a field with a piece of White"),
        ("c2b-c2d", "c2b is empty", "§4 A", "a field with a piece of White"),
        ("c3f-c3b", "the piece on c3f is Black's", "§4 A", "a field with a piece of White"),
        ("a1a-a1c", "tile a1 is no longer on the board", "§5", "a field of the board"),
        ("c3a-c3b", "c3b is a field of the other colour", "§2", "one of b2e, b3c, b3e, c3c"),
        ("c3a-c3f", "c3f is a field of the other colour", "§2", "one of b2e, b3c, b3e, c3c"),
        ("c3a-c4a", "c4a does not touch c3a in one corner", "§2", "one of b2e, b3c, b3e, c3c"),
        ("c3a-c3a", "c3a does not touch c3a in one corner", "§2", "one of b2e, b3c, b3e, c3c"),
        ("c3a-c4c", "c4c is occupied", "§4 A", "one of b2e, b3c, b3e, c3c"),
        ("c3a-c3e", "c3e is occupied", "§4 A", "one of b2e, b3c, b3e, c3c"),
        ("xc3f", "an exchange costs 2 and White holds 1", "§4 B", "until enough tiles are gained"),
    ],
)
def test_illegal_moves_name_the_fault_the_rule_and_what_is_expected(
    move: str, what: str, rule: str, expected: str
) -> None:
    with pytest.raises(IllegalMove) as caught:
        play(POSITION, 0, move)
    assert what in caught.value.what
    assert caught.value.rule == f"rules {rule}"
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    ("move", "what"),
    [
        ("xc3e", "the piece on c3e is White's own"),
        ("xc3b", "there is no piece on c3b"),
        ("xc2a", "there is no piece on c2a"),
        ("xa1b", "tile a1 is no longer on the board"),
    ],
)
def test_illegal_exchanges_name_the_fault(move: str, what: str) -> None:
    with pytest.raises(IllegalMove) as caught:
        play(RICH, 0, move)
    assert what in caught.value.what


def test_a_move_onto_a_missing_tile_is_refused_as_such() -> None:
    state = written("all but a1", "a2c c1c", "c5f e3f", "W", "0,0")
    with pytest.raises(IllegalMove, match="tile a1 is no longer on the board") as caught:
        play(state, 0, "a2c-a1e")
    assert caught.value.rule == "rules §5"


def test_a_piece_that_cannot_move_is_told_so() -> None:
    state = written("all", "c5a c5c c5e c4a c4e b4e", "e3f", "W", "0,0")
    with pytest.raises(IllegalMove, match="that on c5a cannot move"):
        play(state, 0, "c5a-c5e")


def test_the_other_side_is_not_to_move() -> None:
    with pytest.raises(IllegalMove, match="Black is not to move"):
        play(POSITION, 1, "c3f-c3b")


def test_a_finished_game_takes_no_move() -> None:
    with pytest.raises(IllegalMove, match="the game is over"):
        play(leave(POSITION, 1), 0, "c3a-c3c")


def test_long_texts_are_cut_in_the_message() -> None:
    with pytest.raises(IllegalMove) as caught:
        play(POSITION, 0, "x" * 100_000)
    assert len(str(caught.value)) < 200


TEXTS = st.one_of(
    st.text(max_size=30),
    st.from_regex(r"\Ax?[a-f][0-6][a-g](-[a-f][0-6][a-g])?([*+][a-e][1-5][a-f]?)?\Z"),
    st.sampled_from([move for steps in STEPS for move in steps] + [move for texts in EXCHANGES for move in texts]),
)
GAME = random_game(11, 500)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.integers(0, len(GAME) - 1))
def test_any_text_is_a_legal_move_or_an_illegal_one(text: str, at: int) -> None:
    state = GAME[at][0]
    if text in legal_moves(state):
        assert play(state, state.turn, text)[0].ply == state.ply + 1
        return
    with pytest.raises(IllegalMove) as caught:
        play(state, state.turn, text)
    assert caught.value.what
    assert caught.value.rule.startswith("rules §")
    assert caught.value.expected


def test_a_refused_move_leaves_the_state_as_it_was() -> None:
    state = start()
    copy = tuple(state)
    with pytest.raises(IllegalMove):
        play(state, 0, "d1e-c3c")
    assert tuple(state) == copy
