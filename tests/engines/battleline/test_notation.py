"""Moves as text and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.battleline.notation import DISCARD, Kind, Move, hide, read, write
from tests.engines.battleline.table import all_moves, cards, front, play, position

EXAMPLES = {
    "R7@3": Move(Kind.PLAY, cards("R7"), 2),
    "R10@9": Move(Kind.PLAY, cards("R10"), 8),
    "ALX@3": Move(Kind.PLAY, cards("ALX"), 2),
    "FOG@3": Move(Kind.PLAY, cards("FOG"), 2),
    "SCT": Move(Kind.SCOUT),
    "RDP:R7@3>5": Move(Kind.REDEPLOY, cards("R7"), 2, 4),
    "RDP:MUD@3>x": Move(Kind.REDEPLOY, cards("MUD"), 2, DISCARD),
    "DES:B2@4": Move(Kind.DESERT, cards("B2"), 3),
    "TRA:B2@4>6": Move(Kind.TRAITOR, cards("B2"), 3, 5),
    "pass": Move(Kind.PASS),
    "done": Move(Kind.DONE),
    "claim:4": Move(Kind.CLAIM, (), 3),
    "draw:troop": Move(Kind.DRAW, (), -1, 0),
    "draw:tactic": Move(Kind.DRAW, (), -1, 1),
    "ret:R7": Move(Kind.RETURN, cards("R7")),
    "ret:R7,DAR": Move(Kind.RETURN, cards("R7 DAR")),
    "trim:R7": Move(Kind.TRIM, cards("R7")),
}


@pytest.mark.parametrize(("text", "move"), EXAMPLES.items(), ids=EXAMPLES.keys())
def test_a_move_is_read_and_written(text: str, move: Move) -> None:
    assert read(text) == move
    assert write(move) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "R7", "R7@", "R7@0", "R7@10", "R0@1", "R11@1", "X7@3", "r7@3", "R7@3 ", " R7@3", "R7@3\n", "SCT@3"),
        *("DES:B2@4>6", "TRA:B2@4", "TRA:B2@4>x", "RDP:R7@3", "RDP:R7@3>0", "claim:0", "claim:12", "draw:tactics"),
        *("ret:", "ret:R7,", "ret:R7,R8,R9", "trim:", "passed", "R７@3", "R7@３", "DES@3", "ret:troop,tactic"),
    ],
)
def test_what_is_no_canonical_move_is_not_read(text: str) -> None:
    assert read(text) is None


@given(st.text(max_size=40))
def test_any_text_is_read_as_nothing_or_as_a_move_of_that_very_text(text: str) -> None:
    move = read(text)
    assert move is None or write(move) == text


def test_every_legal_move_of_busy_positions_reads_back() -> None:
    flags = {1: front("R1 CAV", "B1 B2 ALX"), 2: front("O1", "P1")}
    state = position(flags, ("RDP DES TRA SCT FOG DAR", ""), mud=(1, 0), played=(0, 5))
    after = play(state, "SCT", "draw:troop", "draw:troop", "draw:troop")
    for legal in (all_moves(state), all_moves(after)):
        assert len(legal) == len(set(legal)) > 50
        for text in legal:
            move = read(text)
            assert move is not None
            assert write(move) == text


def test_only_a_return_is_hidden() -> None:
    for text, move in EXAMPLES.items():
        assert hide(move) == (
            text if move.kind is not Kind.RETURN else {1: "ret:troop", 2: "ret:troop,tactic"}[len(move.cards)]
        )
