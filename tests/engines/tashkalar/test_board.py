from __future__ import annotations

from collections import deque

import pytest

from engines.tashkalar import board
from engines.tashkalar.board import ALL, COORDINATES, DISTANCE, NAMED, NAMES, NEIGHBOURS, RAYS, SQUARES, STEP, bits


def named(mask: int) -> str:
    return " ".join(NAMES[square] for square in bits(mask))


def test_there_are_69_squares_row_by_row_from_the_top() -> None:
    rows = ["".join(name[0] for name in NAMES if name[1] == digit) for digit in "123456789"]
    assert rows == ["cdefg", "bcdefgh", *["abcdefghi"] * 5, "bcdefgh", "cdefg"]
    assert list(NAMES) == sorted(NAMES, key=lambda name: (name[1], name[0]))
    assert (SQUARES, ALL.bit_count(), len(NAMED)) == (69, 69, 69)
    assert COORDINATES[NAMED["e5"]] == (5, 5)


def test_coloured_and_centre_squares_are_those_of_the_rules() -> None:
    assert named(board.RED) == "d2 e5 h6 c8"
    assert named(board.GREEN) == "c3 g3 i4 a5 f8"
    assert named(board.CENTRE9) == "d4 e4 f4 d5 e5 f5 d6 e6 f6"
    assert named(board.CENTRE_PLUS) == "e4 d5 e5 f5 e6"
    assert named(board.CENTRE_TIMES) == "d4 f4 e5 d6 f6"
    assert board.COLOURLESS.bit_count() == 60
    assert not board.COLOURLESS & (board.RED | board.GREEN)


def test_sides_corners_and_diagonals_are_those_of_the_rules() -> None:
    assert [named(side) for side in board.SIDES] == [
        "a3 a4 a5 a6 a7",
        "i3 i4 i5 i6 i7",
        "c1 d1 e1 f1 g1",
        "c9 d9 e9 f9 g9",
    ]
    assert [named(corner) for corner in board.CORNERS] == ["c1 b2 a3", "g1 h2 i3", "a7 b8 c9", "i7 h8 g9"]
    assert [named(line) for line in board.DIAGONALS] == ["b2 c3 d4 e5 f6 g7 h8", "h2 g3 f4 e5 d6 c7 b8"]
    assert named(board.ROWS[3]) == "a4 b4 c4 d4 e4 f4 g4 h4 i4"
    assert named(board.COLUMNS[5]) == "f1 f2 f3 f4 f5 f6 f7 f8 f9"


def test_start_squares_are_those_of_the_rules() -> None:
    assert [NAMES[square] for square in board.DUEL_START] == ["c5", "g5"]
    assert [[NAMES[square] for square in pair] for pair in board.MELEE_SYMBOLS] == [
        ["f2", "g2"],
        ["b7", "c7"],
        ["g6", "g7"],
    ]


def test_neighbours_are_four_orthogonal_and_four_diagonal_ones_cut_at_the_edge() -> None:
    assert named(NEIGHBOURS[NAMED["e5"]]) == "d4 e4 f4 d5 f5 d6 e6 f6"
    assert named(board.ORTHOGONAL[NAMED["e5"]]) == "e4 d5 f5 e6"
    assert named(board.DIAGONAL[NAMED["e5"]]) == "d4 f4 d6 f6"
    assert named(NEIGHBOURS[NAMED["b2"]]) == "c1 c2 a3 b3 c3"
    assert named(board.DIAGONAL[NAMED["b2"]]) == "c1 a3 c3"
    for square in range(SQUARES):
        assert board.ORTHOGONAL[square] | board.DIAGONAL[square] == NEIGHBOURS[square]


def test_a_step_and_the_opposite_step_lead_back() -> None:
    steps = [(a, d, b) for a in range(SQUARES) for d in range(8) if (b := STEP[a][d]) is not None]
    assert len(steps) == sum(mask.bit_count() for mask in NEIGHBOURS)
    assert all(STEP[b][board.opposite(d)] == a for a, d, b in steps)


def test_directions_go_clockwise_from_the_top() -> None:
    around = [STEP[NAMED["e5"]][direction] for direction in range(8)]
    assert " ".join(NAMES[square] for square in around if square is not None) == "e4 f4 f5 f6 e6 d6 d5 d4"
    assert (board.N, board.E, board.S, board.W, board.NW) == (0, 2, 4, 6, 7)


def test_rays_run_to_the_edge_nearest_first() -> None:
    assert [NAMES[square] for square in RAYS[NAMED["c5"]][board.SE]] == ["d6", "e7", "f8", "g9"]
    assert RAYS[NAMED["a3"]][board.NW] == ()
    assert STEP[NAMED["a3"]][board.NW] is None
    assert NAMES[board.RAYS[NAMED["a3"]][board.NE][-1]] == "c1"


@pytest.mark.parametrize("start", ["e5", "a3", "g9", "b2"])
def test_distance_is_the_number_of_steps(start: str) -> None:
    steps = {NAMED[start]: 0}
    queue = deque(steps)
    while queue:
        here = queue.popleft()
        for there in bits(NEIGHBOURS[here] & ~sum(1 << square for square in steps)):
            steps[there] = steps[here] + 1
            queue.append(there)
    assert [steps[square] for square in range(SQUARES)] == list(DISTANCE[NAMED[start]])


def test_within_counts_the_square_itself_and_all_up_to_the_distance() -> None:
    assert board.WITHIN[NAMED["e5"]][0] == 1 << NAMED["e5"]
    assert board.WITHIN[NAMED["e5"]][1] == board.CENTRE9
    assert board.WITHIN[NAMED["e5"]][4] == ALL
    assert named(board.WITHIN[NAMED["c1"]][2]) == "c1 d1 e1 b2 c2 d2 e2 a3 b3 c3 d3 e3"


def test_direction_to_knows_the_lines_only() -> None:
    e5 = NAMED["e5"]
    assert board.DIRECTION_TO[e5][NAMED["h8"]] == board.SE
    assert board.DIRECTION_TO[e5][NAMED["e1"]] == board.N
    assert board.DIRECTION_TO[e5][NAMED["b5"]] == board.W
    assert NAMED["f7"] not in board.DIRECTION_TO[e5]
    assert e5 not in board.DIRECTION_TO[e5]


def test_offset_stops_at_the_cut_corners() -> None:
    assert board.offset(NAMED["c3"], -1, -1) == NAMED["b2"]
    assert board.offset(NAMED["c3"], -2, -1) is None
    assert board.offset(NAMED["i5"], 1, 0) is None


def test_around_a_set_holds_its_own_squares_only_where_they_touch() -> None:
    assert named(board.around(1 << NAMED["a5"])) == "a4 b4 b5 a6 b6"
    pair = board.mask_of((NAMED["a5"], NAMED["a6"]))
    assert named(board.around(pair)) == "a4 b4 a5 b5 a6 b6 a7 b7"
