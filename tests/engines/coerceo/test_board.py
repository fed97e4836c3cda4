from __future__ import annotations

from itertools import product

import pytest

from engines.coerceo.board import (
    BLACK,
    COLOURS,
    EDGES,
    FIELD_NAMES,
    FIELDS,
    NAMED_FIELDS,
    NEIGHBOURS,
    TARGETS,
    TILE_NAMES,
    WHITE,
    colour_of,
)
from engines.coerceo.tables import REMOVABLE, RING, STEPS, union
from tests.engines.coerceo import reference

ALL = [(colour, number) for colour in COLOURS for number in range(57)]


def edge_names(name: str) -> set[str]:
    colour, number = NAMED_FIELDS[name]
    return {FIELD_NAMES[1 - colour][edge] for edge in EDGES[colour][number]}


def target_names(name: str) -> set[str]:
    colour, number = NAMED_FIELDS[name]
    return {FIELD_NAMES[colour][target] for target in TARGETS[colour][number]}


def test_there_are_114_fields_half_of_each_colour() -> None:
    assert len(NAMED_FIELDS) == 114
    assert [len(names) for names in FIELD_NAMES] == [57, 57]
    assert {name[2] for name in FIELD_NAMES[WHITE]} == set("ace")
    assert {name[2] for name in FIELD_NAMES[BLACK]} == set("bdf")
    assert all(colour_of(FIELDS[colour][number]) == colour for colour, number in ALL)


def test_files_have_3_4_5_4_3_tiles_and_numbers_follow_files_and_ranks() -> None:
    assert " ".join(TILE_NAMES) == "a1 a2 a3 b1 b2 b3 b4 c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3"


def test_there_are_156_pairs_of_edge_neighbours() -> None:
    pairs = {frozenset((name, edge)) for name in NAMED_FIELDS for edge in edge_names(name)}
    assert len(pairs) == 156
    assert sorted(len(EDGES[colour][number]) for colour, number in ALL) == [2] * 30 + [3] * 84


def test_move_targets_number_6_5_3_2_on_60_24_24_6_fields() -> None:
    assert sorted(len(TARGETS[colour][number]) for colour, number in ALL) == [2] * 6 + [3] * 24 + [5] * 24 + [6] * 60


def test_tiles_have_6_4_3_neighbours() -> None:
    counts = sorted(sum(neighbour is not None for neighbour in ring) for ring in NEIGHBOURS)
    assert counts == [3] * 6 + [4] * 6 + [6] * 7


@pytest.mark.parametrize(
    ("name", "edges", "targets"),
    [
        ("c3f", "c3e c3a c4c", "c3d c3b c4d c4b d3b b3d"),
        ("c3a", "c3f c3b b3d", "c3e c3c b3e b3c b2e c4c"),
        ("c5f", "c5e c5a", "c5d c5b"),
        ("a1c", "a1b a1d", "a1a a1e b1a"),
        ("c5e", "c5d c5f", "c5a c5c d4a"),
    ],
)
def test_neighbours_of_the_examples(name: str, edges: str, targets: str) -> None:
    assert edge_names(name) == set(edges.split())
    assert target_names(name) == set(targets.split())


def test_neighbours_are_those_of_the_grid_form() -> None:
    assert set(NAMED_FIELDS) == set(reference.CELL)
    for name in NAMED_FIELDS:
        assert edge_names(name) == reference.edges(name)
        assert target_names(name) == reference.targets(name)
    for tile, name in enumerate(TILE_NAMES):
        assert [None if n is None else TILE_NAMES[n] for n in NEIGHBOURS[tile]] == reference.joined(name)


def test_neighbourhood_is_mutual() -> None:
    for colour, number in ALL:
        assert all(number in EDGES[1 - colour][edge] for edge in EDGES[colour][number])
        assert all(number in TARGETS[colour][target] for target in TARGETS[colour][number])


def test_two_edge_neighbours_lie_on_the_own_tile_so_a_field_never_has_fewer_than_two() -> None:
    for colour, number in ALL:
        assert sum(edge // 3 == number // 3 for edge in EDGES[colour][number]) == 2


def test_every_move_of_the_empty_board_has_a_step() -> None:
    assert sum(len(steps) for steps in STEPS) == 60 * 6 + 24 * 5 + 24 * 3 + 6 * 2


PATTERNS = {"100000", "110000", "111000", "000000"}


def test_exactly_18_of_the_64_patterns_of_joined_sides_allow_removal_and_the_empty_one() -> None:
    centre = TILE_NAMES.index("c3")
    allowed = 0
    for bits in product("01", repeat=6):
        pattern = "".join(bits)
        rotations = {pattern[turn:] + pattern[:turn] for turn in range(6)}
        joined = union(3 * n for n, bit in zip(NEIGHBOURS[centre], bits, strict=True) if bit == "1" and n is not None)
        assert (joined in REMOVABLE[centre]) == bool(rotations & PATTERNS), pattern
        allowed += joined in REMOVABLE[centre]
    assert allowed == 18 + 1


@pytest.mark.parametrize("pattern", ["101000", "100100", "110100", "110010", "101010", "111100", "111110", "111111"])
def test_patterns_that_hold_the_tile(pattern: str) -> None:
    centre = TILE_NAMES.index("c3")
    for turn in range(6):
        bits = pattern[turn:] + pattern[:turn]
        joined = union(3 * n for n, bit in zip(NEIGHBOURS[centre], bits, strict=True) if bit == "1" and n is not None)
        assert joined not in REMOVABLE[centre]


def test_border_tiles_follow_the_same_patterns() -> None:
    for tile, ring in enumerate(NEIGHBOURS):
        present = [n for n in ring if n is not None]
        for chosen in product((False, True), repeat=len(present)):
            there = {n for n, yes in zip(present, chosen, strict=True) if yes}
            joined = union(3 * n for n in there)
            assert joined & RING[tile] == joined
            assert (joined in REMOVABLE[tile]) == reference.removable([n in there for n in ring])
