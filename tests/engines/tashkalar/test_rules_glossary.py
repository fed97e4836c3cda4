"""What the words of effects mean: moves, leaps, upgrades, conversions, and what counts as destroyed (rules §9)."""

from __future__ import annotations

import pytest

from engines.tashkalar.board import ALL, NAMED, NAMES
from engines.tashkalar.look import COMBAT, ELSEWHERE, FREE, STANDARD
from engines.tashkalar.scene import Scene
from tests.engines.tashkalar.table import describe, drawing, position

AROUND = "c4 Hd4 Le4 | f4 Hf5 Lf6"
"""Beside e5: own and enemy pieces of all ranks, but for the own common, which is two squares away."""


def scene(pieces: str, **given: object) -> Scene:
    return Scene(position(pieces, **given), 0)  # type: ignore[arg-type]


def goals(g: Scene, how: int) -> set[str]:
    return {NAMES[to] for start, to in g.steps(1 << NAMED["e5"], how)}


@pytest.mark.parametrize(
    ("mover", "how", "onto"),
    [
        ("e5", FREE, ""),
        ("e5", STANDARD, ""),
        ("e5", COMBAT, "f4"),
        ("He5", STANDARD, "f4"),
        ("He5", COMBAT, "d4 f4 f5"),
        ("Le5", STANDARD, "d4 f4 f5"),
        ("Le5", COMBAT, "d4 e4 f4 f5 f6"),
    ],
)
def test_moves_go_to_a_neighbour_that_is_empty_or_of_a_rank_they_may_capture(mover: str, how: int, onto: str) -> None:
    assert goals(scene(f"{mover} {AROUND}"), how) == {"d5", "d6", "e6", *onto.split()}


def test_leaps_go_anywhere_whatever_stands_between() -> None:
    g = scene(f"a5 {AROUND}")
    standard = {NAMES[to] for _, to in g.ways(1 << NAMED["a5"], STANDARD, ALL, ELSEWHERE)}
    assert len(standard) == 69 - 7
    assert {NAMES[to] for _, to in g.ways(1 << NAMED["a5"], COMBAT, ALL, ELSEWHERE)} == standard | {"c4", "f4"}


def test_entering_destroys_also_own_pieces_and_only_enemies_count() -> None:
    g = scene("He5 d4 | f4 Hf5")
    for start, to in (("e5", "d4"), ("d4", "e5"), ("e5", "f4"), ("f4", "f5")):
        g.move(NAMED[start], NAMED[to])
    assert drawing(g.board) == "Hf5 |"
    assert describe(g.after(), "destroyed") == "C1:1 H1:1"


def test_upgrading_to_legendary_wants_such_a_counter_and_legendary_is_the_highest() -> None:
    g = scene("a5 Hb5 La6 La7 | Hb3 Lc3")
    assert {NAMES[at] for at in range(69) if g.upgradable(1 << at)} == {"a5", "b5", "b3"}
    assert g.upgrade(NAMED["b5"])
    assert not g.upgrade(NAMED["a6"])
    g.upgrade(NAMED["a5"])
    assert not g.upgrade(NAMED["a5"])
    assert drawing(g.board) == "Ha5 Lb5 La6 La7 | Hb3 Lc3"


def test_downgrading_from_legendary_wants_a_two_sided_counter_and_common_is_the_lowest() -> None:
    short = scene("a5 Hb5 La6 | Lc3", counters=2)
    assert {NAMES[at] for at in range(69) if short.downgradable(1 << at)} == {"b5", "c3"}
    assert not short.downgrade(NAMED["a6"])
    g = scene("a5 La6", counters=2)
    assert g.downgrade(NAMED["a6"])
    assert g.downgrade(NAMED["a6"])
    assert not g.downgrade(NAMED["a6"])
    assert drawing(g.board).rstrip(" |") == "a5 a6"
    assert g.stock(0, 2) == 3


def test_converting_wants_an_own_counter_of_that_rank_and_counts_as_destroying() -> None:
    g = scene("a5 La6 La7 Lb7 | Hb3 Lc3", counters=2)
    assert not g.convert(NAMED["c3"])
    assert g.convert(NAMED["b3"])
    assert drawing(g.board) == "Hb3 a5 La6 La7 Lb7 | Lc3"
    assert describe(g.after(), "destroyed") == "H1:1"
    assert not g.convert(NAMED["c3"], 1)
    assert g.stock(1, 0) == 2


def test_upgrading_and_downgrading_destroy_nothing() -> None:
    g = scene("a5 | Hb3 Lc3 d3")
    g.downgrade(NAMED["c3"])
    g.downgrade(NAMED["b3"])
    g.upgrade(NAMED["d3"])
    assert describe(g.after(), "destroyed") == ""


def test_placing_by_an_effect_lifts_nothing_for_want_of_counters() -> None:
    g = scene("a5 Hb5 | c3", counters=2)
    assert not g.placeable(1 << NAMED["e5"])
    assert not g.place(NAMED["e5"])
    assert g.place(NAMED["e5"], 2)
    assert drawing(g.board) == "a5 Hb5 Le5 | c3"


def test_counters_of_destroyed_pieces_are_free_at_once() -> None:
    g = scene("a5 b5 | c3", counters=2)
    assert g.stock(0, 0) == 0
    g.destroy(NAMED["a5"])
    g.destroy(NAMED["c3"])
    assert (g.stock(0, 1), g.stock(1, 0)) == (1, 2)
    assert g.place(NAMED["e5"])
