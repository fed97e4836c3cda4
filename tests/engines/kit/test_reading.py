"""Numbers taken off the bytes of a state."""

from __future__ import annotations

import pytest

from engines.kit.reading import Reader


def test_numbers_and_lists_come_in_order() -> None:
    read = Reader(bytes((7, 2, 255, 0, 0, 1, 9)))
    assert (read.number(), read.numbers(), read.numbers(), read.take(2)) == (7, (255, 0), (), bytes((1, 9)))
    read.end()


@pytest.mark.parametrize("data", [b"", bytes((3, 1, 2))])
def test_bytes_that_end_too_soon_are_no_list(data: bytes) -> None:
    with pytest.raises(ValueError, match="end too soon"):
        Reader(data).numbers()


def test_bytes_that_are_left_over_are_counted() -> None:
    read = Reader(bytes(3))
    read.number()
    with pytest.raises(ValueError, match="2 bytes are left over"):
        read.end()
