"""Reads logs from the store itself and holds everything against them."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from hamle.event.v1 import event_pb2

from core.errors import Refused
from core.log.reader import RedisLogReader
from core.log.types import Record
from core.store.client import Client
from engines.coerceo.game import GAME
from engines.kit.history import History
from engines.kit.life import Status
from engines.kit.steps import FoldError
from engines.kit.verify import Exported, verify_log
from tests.faults.compare import Finding, Findings, Logged, compare_answers, compare_moves, compare_watch
from tests.faults.ledger import Ledger, place_of

GAMES = {GAME.info.rules: GAME}
MOST_TOLD = 100


@dataclass
class Totals:
    """What was held against the logs so far, and what was wrong."""

    found: Counter[str] = field(default_factory=Counter)
    answers: int = 0
    watches: int = 0
    events_told: int = 0
    verified: int = 0
    failures: list[str] = field(default_factory=list)
    under_way: list[str] = field(default_factory=list)
    before: str = "no fault"

    def fail(self, sentence: str) -> None:
        """Takes note of something that does not hold, and of the faults by which it may have come."""
        when = f"during {', '.join(self.under_way)}; " if self.under_way else ""
        failure = f"{when}after {self.before}: {sentence}"
        self.failures.append(failure)
        if len(self.failures) <= MOST_TOLD:
            print(f"FAILED {failure}", file=sys.stderr, flush=True)

    @contextmanager
    def during(self, kind: str) -> Iterator[None]:
        """A fault of this kind is done, and looked after."""
        self.under_way.append(kind)
        try:
            yield
        except Exception as error:
            self.fail(f"{type(error).__name__}: {error}")
            raise
        finally:
            self.under_way.remove(kind)
            self.before = kind


class Audit:
    """Follows the log of one match, and compares as much of the ledger as is new."""

    def __init__(self, ledger: Ledger, totals: Totals) -> None:
        self.ledger = ledger
        self._totals = totals
        self._noted: set[Finding] = set()
        self.restart()

    def restart(self) -> None:
        """The log goes on in another way than before."""
        self._history = History(GAMES)
        self._log: list[Logged] = []

    async def look(self, store: Client) -> None:
        """What clients know now must be in the log that is read after this. Raises `Refused`: STORE_DOWN."""
        ledger = self.ledger
        accepted = list(ledger.accepted)
        watches = {name: list(told) for name, told in ledger.watches.items()}
        try:
            await self._read(store)
        except FoldError as error:
            self._totals.fail(f"the log of match {ledger.match_id} does not verify: {error}")
            return
        findings: Findings = []
        compare_moves(self._log, ledger.game.moves, findings)
        compare_answers(self._log, accepted, findings)
        for name, told in watches.items():
            compare_watch(self._log, name, told, findings)
        self._note(findings)

    async def close(self, store: Client) -> None:
        """The match is over: its whole log, read anew, verifies, and everybody was told all of it."""
        ledger, totals = self.ledger, self._totals
        followed = list(self._log)
        records = [record async for batch in RedisLogReader(store).read(ledger.match_id) for record in batch]
        if not _verified(ledger.match_id, records, totals):
            return
        log = [_logged(record) for record in records]
        if log[: len(followed)] != followed:
            totals.fail(f"the log of match {ledger.match_id} has changed in its past")
        findings: Findings = []
        compare_moves(log, ledger.game.moves, findings)
        compare_answers(log, ledger.accepted, findings)
        for name, told in ledger.watches.items():
            compare_watch(log, name, told, findings)
            if len(told) < len(log):
                findings.append(Finding("lost", f"{name} was told {len(told)} of {len(log)} events"))
        self._note(findings)
        totals.verified += 1
        totals.answers += len(ledger.accepted)
        totals.watches += len(ledger.watches)
        totals.events_told += sum(len(told) for told in ledger.watches.values())

    def _note(self, findings: Findings) -> None:
        for finding in findings:
            if finding not in self._noted:
                self._noted.add(finding)
                self._totals.found[finding.what] += 1
                self._totals.fail(f"match {self.ledger.match_id}: {finding.what}: {finding.sentence}")

    async def _read(self, store: Client) -> None:
        reader = RedisLogReader(store)
        head = await reader.head(self.ledger.match_id)
        if head.seq < len(self._log):
            self._note([Finding("lost", f"the log ended at event {len(self._log)} and now ends at {head.seq}")])
            return
        async for batch in reader.read(self.ledger.match_id, len(self._log)):
            for record in batch:
                self._history.add(record)
                self._log.append(_logged(record))


def _logged(record: Record) -> Logged:
    event = event_pb2.Event.FromString(record.event)
    return Logged(place_of(event, record.seq, record.hash), event.request.key)


def _verified(match_id: str, records: Sequence[Record], totals: Totals) -> bool:
    """Whether the log folds to its hashes and, of a finished match, proves all that it can prove."""
    history = History(GAMES)
    try:
        for record in records:
            history.add(record)
    except (FoldError, Refused) as error:
        totals.fail(f"the log of match {match_id} does not verify: {error}")
        return False
    if history.seq and history.state.life.status is Status.FINISHED:
        report = verify_log([Exported(record, b"") for record in records], GAMES)
        if not report.ok:
            totals.fail(f"the log of match {match_id} does not verify: {report.failure}")
        return report.ok
    return True


async def verify_all(store: Client, totals: Totals) -> int:
    """Verifies every log that the store holds; gives their number."""
    reader = RedisLogReader(store)
    count = 0
    async for key in store.scan_iter(match="{s*}:match:*:log", count=1000):
        match_id = key.decode().split(":")[2]
        _verified(match_id, [record async for batch in reader.read(match_id) for record in batch], totals)
        count += 1
    return count
