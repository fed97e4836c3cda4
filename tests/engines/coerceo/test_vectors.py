"""The test vectors of the rules page, section 10."""

from __future__ import annotations

import re

import pytest

from engines.coerceo.apply import play
from engines.coerceo.choices import legal_moves
from engines.coerceo.effects import removal
from engines.coerceo.outcome import outcome
from engines.coerceo.state import COST_ONE, CURA, DEAD_POSITION, REPETITION, Ending, State
from engines.coerceo.tables import TILE_MASK, tile_names
from engines.kit.game import Fact, IllegalMove
from tests.engines.coerceo.positions import rows, written

VECTORS = {row[0]: row for row in rows("vectors.txt")}


def options(vector: str) -> int:
    return CURA | (COST_ONE if vector == "X3" else 0)


def before(vector: str) -> State:
    _, tiles, white, black, turn, stock, *_ = VECTORS[vector]
    return written(tiles, white, black, turn, stock, options(vector))


def listed(facts: tuple[Fact, ...] | list[Fact], *kinds: str) -> list[str]:
    return [fact.parameters[0][1] for fact in facts if fact.kind in kinds]


def test_all_46_vectors_are_there() -> None:
    assert len(VECTORS) == 46


@pytest.mark.parametrize("vector", [name for name, row in VECTORS.items() if row[7] != "ILLEGAL"])
def test_legal_vector(vector: str) -> None:
    state = before(vector)
    move, result = VECTORS[vector][6], VECTORS[vector][7]
    after, told = play(state, state.turn, move)
    facts = list(told)
    removed = re.search(r"tiles removed: ([^;]*)", result)
    captured = re.search(r"captured: ([^;]*)", result)
    held = re.search(r"held (\d+),(\d+)", result)
    assert held is not None
    exchange = move[0] == "x"
    assert listed(facts, "tile_removed" if exchange else "tile_gained") == (removed[1].split() if removed else [])
    assert listed(facts, "tile_gained" if exchange else "tile_removed") == []
    assert listed(facts, "captured") == (captured[1].split() if captured else [])
    assert listed(facts, "exchanged") == ([move[1:]] if exchange else [])
    assert (after.stock_white, after.stock_black) == (int(held[1]), int(held[2]))
    assert ("cura" in result) == after.cura == (Fact("cura") in facts)
    assert after.ending == (Ending.WHITE_WON if "result W" in result else Ending.NONE)
    assert (Fact("no_pieces") in facts) == ("result W" in result)
    assert set(tile_names(state.board)) - set(tile_names(after.board)) == set(removed[1].split() if removed else [])
    assert after.turn == 1 - state.turn
    assert after.ply == state.ply + 1


@pytest.mark.parametrize("vector", [name for name, row in VECTORS.items() if row[7] == "ILLEGAL"])
def test_illegal_vector(vector: str) -> None:
    state = before(vector)
    move = VECTORS[vector][6]
    with pytest.raises(IllegalMove):
        play(state, state.turn, move)
    assert move not in legal_moves(state)


def test_vectors_have_no_vacant_removable_tile_before_the_action() -> None:
    for name in VECTORS:
        state = before(name)
        pieces = state.white | state.black
        for tile in range(19):
            if state.board & TILE_MASK[tile]:
                assert removal(state.board, pieces, tile) == (), name


def test_E1_full_of_own_pieces_leaves_exchanges_only_and_no_action_after_the_reply_draws() -> None:
    state = before("E1")
    assert set(legal_moves(state)) == {"xc3b", "xc3f"}
    state, _ = play(state, 0, "xc3f")
    assert state.ending == Ending.NONE
    state, facts = play(state, 1, "c3b-c3d")
    assert state.ending == Ending.NO_ACTION
    assert list(facts) == [Fact("no_action")]
    assert legal_moves(state) == []


def e2(stock: str) -> State:
    return written("only c3", "c3a c3c c3e", "c3f", "W", stock)


def test_E2_no_action_is_a_draw() -> None:
    state = e2("1,0")
    assert state.ending == Ending.NO_ACTION
    assert legal_moves(state) == []
    ended = outcome(state)
    assert ended is not None
    assert ended.reason == "no_action"
    assert [placement.place for placement in ended.placements] == [1, 1]


def test_E2_with_two_tiles_the_exchange_is_the_only_action_and_wins() -> None:
    state = e2("2,0")
    assert state.ending == Ending.NONE
    assert legal_moves(state) == ["xc3f"]
    after, _ = play(state, 0, "xc3f")
    assert after.ending == Ending.WHITE_WON


def e3(stock: str, extra: int = 0) -> State:
    return written("only c3 c4", "c3a", "c4f", "W", stock, DEAD_POSITION | REPETITION | extra)


def test_E3_dead_position_is_a_draw() -> None:
    state = e3("0,0")
    assert state.ending == Ending.DEAD_POSITION
    ended = outcome(state)
    assert ended is not None
    assert ended.reason == "dead_position"


def test_E3_goes_on_while_somebody_may_still_pay() -> None:
    assert e3("1,0").ending == Ending.NONE
    assert e3("0,1").ending == Ending.NONE
    assert e3("0,0", COST_ONE).ending == Ending.NONE


def test_E3_goes_on_without_the_option() -> None:
    assert written("only c3 c4", "c3a", "c4f", "W", "0,0").ending == Ending.NONE
