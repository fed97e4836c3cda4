"""What a pairing is asked for: game, options, clocks. Equal terms, equal bytes, one queue."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import NamedTuple

from hamle.event.v1.event_pb2 import TimeControl


class Terms(NamedTuple):
    """Game, all its options by name, and milliseconds on the clocks; None: no clock runs."""

    game: str
    options: Mapping[str, str]
    clock: tuple[int, int] | None

    def encoded(self) -> str:
        """Canonical JSON."""
        return json.dumps([self.game, dict(self.options), self.clock], sort_keys=True, separators=(",", ":"))

    def queue(self) -> str:
        """The name of the queue of all who ask for the same."""
        return hashlib.sha256(self.encoded().encode()).hexdigest()[:32]

    def time_control(self) -> TimeControl | None:
        """The clocks as engines take them."""
        return None if self.clock is None else TimeControl(initial_ms=self.clock[0], increment_ms=self.clock[1])

    @classmethod
    def decoded(cls, text: str) -> Terms:
        """The terms that `encoded` wrote."""
        game, options, clock = json.loads(text)
        return cls(game, options, None if clock is None else (clock[0], clock[1]))
