"""A log's records, folded onto the history that they follow."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

from core.log.types import LogReader, Record
from engines.kit.fold import FoldedEvent
from engines.kit.history import History
from engines.kit.host.materials import Materials
from engines.kit.host.publish import publish
from engines.kit.host.refusals import log_corrupt
from engines.kit.host.warm import WarmMatch
from engines.kit.state import deadline_ms
from engines.kit.steps import FoldError


class Records:
    """What the store holds of matches.

    `materials` has what matches are played with; None: no game of these has materials.
    """

    def __init__(self, reader: LogReader, materials: Materials | None = None) -> None:
        self.reader = reader
        self._materials = materials

    async def read(self, match: WarmMatch) -> list[FoldedEvent]:
        """Folds what the log holds beyond a locked match, tells its watches batch by batch, and gives it.

        Raises `FoldError`; what came before the event that does not fit is folded and told.
        """
        history = match.history
        read: list[FoldedEvent] = []
        async for records in self.reader.read(match.match_id, history.seq):
            await self._equip(history, records)
            batch = []
            for record in records:
                event, before, folded = history.add(record)
                batch.append(FoldedEvent(event, record.event, before, folded))
            match.recent.extend(batch)
            match.deadline = deadline_ms(history.game, history.state)
            publish(match, batch)
            read += batch
        return read

    async def past(self, match_id: str, history: History) -> AsyncGenerator[tuple[Record, FoldedEvent], None]:
        """Folds the records of a log that follow a history onto it, one by one. Raises LOG_CORRUPT."""
        try:
            async for records in self.reader.read(match_id, history.seq):
                await self._equip(history, records)
                for record in records:
                    event, before, folded = history.add(record)
                    yield record, FoldedEvent(event, record.event, before, folded)
        except FoldError as error:
            raise log_corrupt(match_id, error) from error

    async def _equip(self, history: History, records: Sequence[Record]) -> None:
        if self._materials is not None and records[0].seq == 1:
            await self._materials.equip(history, records[0])
