"""Lines for a terminal."""

from __future__ import annotations

from engines.kit.lines import MOST, wrapped


def test_words_go_on_below_the_first_one() -> None:
    words = [f"word{number:02}" for number in range(20)]
    lines = wrapped("head:", words)
    assert len(lines) == 2
    assert lines[0].startswith("head: word00 ")
    assert lines[1].startswith("      word")
    assert " ".join(lines).split() == ["head:", *words]


def test_a_line_is_filled_to_the_last_column_and_not_beyond() -> None:
    assert wrapped("a", ["b" * (MOST - 2)]) == ["a " + "b" * (MOST - 2)]
    assert wrapped("a", ["b", "c" * (MOST - 3)]) == ["a b", "  " + "c" * (MOST - 3)]


def test_without_words_there_is_no_line() -> None:
    assert wrapped("head:", []) == []
