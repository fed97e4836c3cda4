"""Itchy Feet that begins in a position put together by hand, for tests of what is around the rules."""

from __future__ import annotations

from collections.abc import Mapping

from engines.itchyfeet.game import ItchyFeet
from engines.itchyfeet.meta import rules_of
from engines.itchyfeet.state import State
from engines.kit.game import Draw

TURKEY = "camera phrasebook warm_coat passport_01"


class Arranged(ItchyFeet):
    """Each match of so many seats begins in the position, with the rules that its options name."""

    def __init__(self, position: State) -> None:
        super().__init__()
        self._position = position

    def setup(self, options: Mapping[str, str], seats: int, draw: Draw) -> State:
        if seats != len(self._position.hands):
            return super().setup(options, seats, draw)
        return self._position._replace(rules=rules_of(options))
