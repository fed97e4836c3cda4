from __future__ import annotations

import math
from collections import Counter
from itertools import permutations

import pytest

from core.fairness.draw import SeededDraw
from engines.kit.game import Draw

SEED = bytes(range(32))


def chi_square(counts: Counter[object], cells: int) -> float:
    """How far the counts are from equal ones, in standard deviations of the chi-square distribution."""
    expected = sum(counts.values()) / cells
    statistic = sum(count**2 for count in counts.values()) / expected - sum(counts.values())
    return (statistic - (cells - 1)) / math.sqrt(2 * (cells - 1))


def test_it_is_a_draw_as_games_know_it() -> None:
    draw: Draw = SeededDraw(SEED, 1)
    assert 0 <= draw.below(6, "die") < 6


@pytest.mark.parametrize("n", [2, 3, 6, 7, 52])
def test_numbers_of_successive_counters_are_uniform(n: int) -> None:
    draw = SeededDraw(SEED, 1)
    counts: Counter[object] = Counter(draw.below(n, "die") for _ in range(n * 400))
    assert abs(chi_square(counts, n)) < 4


def test_first_numbers_of_successive_events_are_uniform() -> None:
    counts: Counter[object] = Counter(SeededDraw(SEED, seq).below(6, "die") for seq in range(3000))
    assert abs(chi_square(counts, 6)) < 4


def test_all_orders_of_a_shuffle_are_equally_likely() -> None:
    draw = SeededDraw(SEED, 1)
    counts: Counter[object] = Counter(draw.shuffle("abcd", "deck") for _ in range(24 * 200))
    assert set(counts) == set(permutations("abcd"))
    assert abs(chi_square(counts, 24)) < 4


def test_each_card_is_equally_likely_at_each_place() -> None:
    draw = SeededDraw(SEED, 2)
    counts: Counter[object] = Counter()
    for _ in range(1000):
        counts.update(enumerate(draw.shuffle(range(10), "deck")))
    assert abs(chi_square(counts, 100)) < 4


def test_the_chi_square_of_a_biased_source_is_seen() -> None:
    biased: Counter[object] = Counter(SeededDraw(SEED, seq).below(256, "die") % 96 for seq in range(9600))
    assert chi_square(biased, 96) > 4


def test_same_seed_and_seq_draw_the_same() -> None:
    first, second = SeededDraw(SEED, 9), SeededDraw(SEED, 9)
    assert first.shuffle(range(30), "deck") == second.shuffle(range(30), "deck")
    assert first.below(10**9, "die") == second.below(10**9, "die")


@pytest.mark.parametrize(
    "other",
    [SeededDraw(SEED, 10), SeededDraw(SEED[::-1], 9)],
    ids=["another event", "another seed"],
)
def test_other_seq_or_seed_draws_otherwise(other: SeededDraw) -> None:
    assert SeededDraw(SEED, 9).below(2**128, "die") != other.below(2**128, "die")


def test_a_repeated_purpose_does_not_repeat_an_order() -> None:
    draw = SeededDraw(SEED, 1)
    assert draw.shuffle(range(30), "deck") != draw.shuffle(range(30), "deck")


def test_purposes_do_not_disturb_each_other() -> None:
    alone = SeededDraw(SEED, 1)
    mixed = SeededDraw(SEED, 1)
    mixed.shuffle(range(9), "other")
    expected = [alone.below(1000, "die") for _ in range(3)]
    got = []
    for _ in range(3):
        got.append(mixed.below(1000, "die"))
        mixed.below(7, "another")
    assert got == expected


def test_a_shuffle_keeps_the_things_and_their_source() -> None:
    cards = ["a", "a", "b", "c"]
    assert sorted(SeededDraw(SEED, 1).shuffle(cards, "deck")) == cards
    assert cards == ["a", "a", "b", "c"]


def test_used_tells_whether_anything_was_asked_for() -> None:
    draw = SeededDraw(SEED, 1)
    assert not draw.used
    draw.below(1, "die")
    assert draw.used
    draw = SeededDraw(SEED, 1)
    assert draw.shuffle((), "deck") == ()
    assert draw.used


@pytest.mark.parametrize("n", [0, -1, 2**256 + 1])
def test_a_range_that_cannot_be_drawn_from_is_refused_and_nothing_is_used(n: int) -> None:
    draw = SeededDraw(SEED, 1)
    with pytest.raises(ValueError, match="expected 1 to"):
        draw.below(n, "die")
    assert not draw.used


def test_the_seed_is_not_in_the_representation() -> None:
    draw = SeededDraw(SEED, 1)
    draw.below(6, "die")
    assert SEED.hex() not in repr(draw)
    assert repr(SEED) not in repr(draw)
