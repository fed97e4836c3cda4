"""Numbers of turn sequences, against those of the rules page, section 11."""

from __future__ import annotations

import pytest

from engines.coerceo.apply import play
from engines.coerceo.board import TILE_NAMES
from engines.coerceo.choices import legal_moves
from engines.coerceo.perft import count, perft
from engines.coerceo.setup import position
from engines.coerceo.state import CURA, DEAD_POSITION, REPETITION, State
from tests.engines.coerceo.positions import GOLDEN, random_game, rows, start, written

MIDGAME = {row[0]: row for row in rows("midgame.txt")}


def midgame(name: str) -> State:
    _, removed, white, black, turn, stock, _ = MIDGAME[name]
    tiles = [tile for tile in TILE_NAMES if tile not in removed.split()]
    held = stock.split(",")
    return position(tiles, white.split(), black.split(), turn="WB".index(turn), stock=(int(held[0]), int(held[1])))


@pytest.mark.parametrize(("depth", "number"), [(0, 1), (1, 48), (2, 2304), (3, 110304)])
def test_laurentius(depth: int, number: int) -> None:
    assert perft(start(), depth) == number


@pytest.mark.parametrize(("depth", "number"), [(0, 1), (1, 26), (2, 676), (3, 17234)])
def test_ocius(depth: int, number: int) -> None:
    assert perft(start(start="ocius"), depth) == number


@pytest.mark.parametrize("name", list(MIDGAME))
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_midgame(name: str, depth: int) -> None:
    assert perft(midgame(name), depth) == int(MIDGAME[name][6].split()[depth - 1])


@pytest.mark.nightly
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("depth", "number"), [(4, 5280654), (5, 254945184)])
def test_laurentius_deep(depth: int, number: int) -> None:
    assert perft(start(), depth) == number


@pytest.mark.nightly
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("depth", "number"), [(4, 435572), (5, 10739924), (6, 262208752)])
def test_ocius_deep(depth: int, number: int) -> None:
    assert perft(start(start="ocius"), depth) == number


def test_first_moves_of_white_are_those_of_the_rules_page() -> None:
    listed = {
        f"{source}-{target}"
        for source, targets in (line.split(": ") for line in (GOLDEN / "first_moves.txt").read_text().splitlines())
        for target in targets.split()
    }
    assert len(listed) == 48
    assert set(legal_moves(start())) == listed


def test_black_would_have_48_first_moves_too() -> None:
    assert count(start()._replace(turn=1)) == 48


def test_the_bulk_count_is_the_number_of_legal_moves() -> None:
    for state, _ in random_game(5, 600) + random_game(6, 300, start="ocius"):
        assert count(state) == len(legal_moves(state)) == perft(state, 1)


def plain(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(plain(play(state, state.turn, move)[0], depth - 1) for move in legal_moves(state))


def test_bulk_counting_counts_what_playing_counts() -> None:
    state = midgame("M-f")
    assert perft(state, 3) == plain(state, 3) == 590


def test_draw_rules_and_cura_do_not_apply() -> None:
    dead = written("only c3 c4", "c3a", "c4f", "W", "0,0", DEAD_POSITION | REPETITION | CURA)
    assert dead.ending
    assert perft(dead, 1) == count(dead._replace(ending=0)) > 0
    assert perft(dead, 6) == perft(dead._replace(options=0, ending=0, occurrences=0), 6)


def test_a_finished_game_has_no_continuations() -> None:
    won = written("only c3 c4", "c3a", "", "B", "0,0")
    assert perft(won, 1) == 0
    assert perft(won, 0) == 1


def test_a_negative_depth_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 0"):
        perft(start(), -1)
