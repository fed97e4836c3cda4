"""What an engine counts and times, looked up once so that counting costs a move next to nothing."""

from __future__ import annotations

from core.errors import Refused
from core.telemetry.instruments import Count
from core.telemetry.metrics import APPENDS, MOVES, STAGE_SECONDS, WARM_LOOKUPS


class Meters:
    """The counters of one game's engine. Stages: load, decide, append (until the store has it), publish, total."""

    def __init__(self, game: str) -> None:
        self._game = game
        self._refused: dict[str, Count] = {}
        self.accepted = MOVES.labels(game, "accepted")
        self.repeated = MOVES.labels(game, "repeated")
        self.hit = WARM_LOOKUPS.labels(game, "hit")
        self.miss = WARM_LOOKUPS.labels(game, "miss")
        self.stale = WARM_LOOKUPS.labels(game, "stale")
        self.appended = APPENDS.labels("done")
        self.conflict = APPENDS.labels("conflict")
        self.unknown = APPENDS.labels("unknown")
        self.load = STAGE_SECONDS.labels("load")
        self.decide = STAGE_SECONDS.labels("decide")
        self.append = STAGE_SECONDS.labels("append")
        self.publish = STAGE_SECONDS.labels("publish")
        self.total = STAGE_SECONDS.labels("total")

    def refused(self, refused: Refused) -> None:
        """Moves were refused; the reason is the result."""
        count = self._refused.get(refused.name)
        if count is None:
            count = self._refused[refused.name] = MOVES.labels(self._game, refused.name.lower())
        count.inc()
