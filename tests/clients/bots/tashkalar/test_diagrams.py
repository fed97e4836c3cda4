"""What the bot knows of the cards is what the rules say of them."""

from __future__ import annotations

import pytest

from clients.bots.tashkalar.diagrams import PATTERNS, POINTS
from clients.bots.tashkalar.patterns import ARENA, bit, lying, rank
from engines.tashkalar.board import NAMES, SQUARES
from engines.tashkalar.cards import BEINGS, TASKS, Being
from engines.tashkalar.images import images, places


def test_the_bot_knows_each_being_and_task() -> None:
    assert list(PATTERNS) == [being.key for being in BEINGS]
    assert {task.key: task.points for task in TASKS} == POINTS


def test_squares_are_those_of_the_arena() -> None:
    assert sum(bit(name) for name in NAMES) == ARENA
    assert len({bit(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("being", BEINGS, ids=lambda being: being.key)
def test_a_pattern_lies_wherever_the_rules_let_it(being: Being) -> None:
    expected = set()
    for image in images(being.number):
        for square in range(SQUARES):
            found = places(image, square)
            if found is not None:
                squares = [(cell.rank, bit(NAMES[at])) for cell, at in zip(image.cells, found, strict=True)]
                upgraded = sum(at for least, at in squares if least)
                expected.add((sum(at for _, at in squares), upgraded, 0 if being.anywhere else bit(NAMES[square])))
    assert rank(being.key) == being.rank + 1
    assert {tuple(place) for place in lying(being.key)} == expected
