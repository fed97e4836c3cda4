"""Formations of rules §3 and §9."""

from __future__ import annotations

import pytest

from engines.battleline.formation import strength
from tests.engines.battleline.table import cards, rows


@pytest.mark.parametrize("row", rows("formations.txt"), ids=lambda row: f"{row[0]}{' in fog' * (row[1] == 'yes')}")
def test_the_best_reading_is_that_of_the_rules(row: list[str]) -> None:
    rank, total = strength(cards(row[0]), fog=row[1] == "yes")
    assert f"{rank.name.lower()} {total}" == row[2]


def test_all_rows_of_the_rules_are_there() -> None:
    assert len(rows("formations.txt")) == 29


def test_the_order_of_play_does_not_matter() -> None:
    assert strength(cards("R5 R3 R4"), fog=False) == strength(cards("R3 R4 R5"), fog=False)


def test_ten_and_one_do_not_connect() -> None:
    assert strength(cards("R9 O10 G1"), fog=False).rank.name == "HOST"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("R1 R2 R3", "O10 Y10 G10"),
        ("R1 O1 Y1", "R8 R9 R6"),
        ("R1 R2 R4", "O10 Y9 G8"),
        ("R1 O2 Y3", "O10 Y10 G8"),
        ("R4 R5 R6", "O3 O4 O5"),
    ],
)
def test_rank_goes_before_sum(better: str, worse: str) -> None:
    assert strength(cards(better), fog=False) > strength(cards(worse), fog=False)
