"""Ways of several pieces to several squares, listed only when looked at: most moves are run for one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, overload

from engines.tashkalar.board import bits

Way = tuple[int, int]


class Ways(Sequence[Way]):
    """Pairs of a start and a goal. `groups` are sets of starts with the squares that these can enter.

    `reach` gives for each square those that could be reached from it.
    """

    __slots__ = ("_groups", "_listed", "_reach")

    def __init__(self, groups: Sequence[tuple[int, int]], reach: Sequence[int]) -> None:
        self._groups: Final = groups
        self._reach: Final = reach
        self._listed: list[Way] | None = None

    def _all(self) -> list[Way]:
        found = self._listed
        if found is None:
            reach = self._reach
            found = self._listed = [
                (start, to)
                for starts, free in self._groups
                for start in bits(starts)
                for to in bits(reach[start] & free)
            ]
        return found

    def __bool__(self) -> bool:
        reach = self._reach
        return any(reach[start] & free for starts, free in self._groups for start in bits(starts))

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Way]:
        return iter(self._all())

    def __contains__(self, way: object) -> bool:
        return way in self._all()

    @overload
    def __getitem__(self, at: int) -> Way: ...

    @overload
    def __getitem__(self, at: slice) -> list[Way]: ...

    def __getitem__(self, at: int | slice) -> Way | list[Way]:
        return self._all()[at]
