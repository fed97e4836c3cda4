"""Lists of choices whose items are made when they are looked at.

Whether an answer makes a move whole shows only when the move is run with it. Who draws one choice, or looks for one by
its text, pays for that one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from engines.kit.game import Choice


class Listing(Sequence[Choice]):
    """The choices of these texts; `make` gives the one at an index and is asked once for each."""

    __slots__ = ("_made", "_make", "texts")

    def __init__(self, texts: Sequence[str], make: Callable[[int], Choice]) -> None:
        self.texts = texts
        self._make = make
        self._made: list[Choice | None] = [None] * len(texts)

    def __len__(self) -> int:
        return len(self.texts)

    @overload
    def __getitem__(self, index: int) -> Choice: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Choice]: ...

    def __getitem__(self, index: int | slice) -> Choice | Sequence[Choice]:
        if isinstance(index, slice):
            return [self[at] for at in range(len(self))[index]]
        at = range(len(self))[index]
        found = self._made[at]
        if found is None:
            found = self._made[at] = self._make(at)
        return found


def texts(choices: Sequence[Choice]) -> Sequence[str]:
    """Their texts, for which none has to be made."""
    return choices.texts if isinstance(choices, Listing) else [choice.text for choice in choices]
