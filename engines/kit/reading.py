"""States that are written as bytes of 0 to 255 each, taken apart again."""

from __future__ import annotations


class Reader:
    """Takes numbers off the bytes of a state. All methods raise ValueError when the bytes end too soon."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        if self._at + count > len(self._data):
            raise ValueError("the bytes of the state end too soon")
        self._at += count
        return self._data[self._at - count : self._at]

    def number(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def numbers(self) -> tuple[int, ...]:
        """A list that stands behind its length."""
        return tuple(self.take(self.number()))

    def end(self) -> None:
        """All bytes must have been taken. Raises ValueError."""
        if self._at != len(self._data):
            raise ValueError(f"{len(self._data) - self._at} bytes are left over after the state")
