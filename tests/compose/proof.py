"""Whether the log of a finished match holds what everybody at the table was told."""

from __future__ import annotations

from collections.abc import Sequence

from hamle.event.v1.event_pb2 import Event
from hamle_client import Client
from hamle_client import Record as Exported

from core.log.types import Record
from engines.kit import verify
from engines.registry import games_by_rules
from tests.compose.table import Played

Moves = Sequence[tuple[int, str]]


async def prove(client: Client, played: Played) -> str:
    """Exports a finished match and holds it against what was told of it; the problem, if there is one."""
    records = [record async for record in client.match(played.match_id).replay.export()]
    return difference(played, records) or unverified(records)


def difference(played: Played, records: Sequence[Exported]) -> str:
    """How the log differs from what the players and the watcher were told."""
    if any(record.redacted for record in records):
        return "the export is redacted, as if the match were not over"
    acknowledged = [played.accepted[seq] for seq in sorted(played.accepted)]
    events = [Event.FromString(record.event) for record in records]
    logged = [(event.moved.seat, event.moved.move) for event in events if event.HasField("moved")]
    return first_difference(acknowledged, logged) or watched_otherwise(played.watched, len(records))


def first_difference(acknowledged: Moves, logged: Moves) -> str:
    """Where the moves that were acknowledged and those in the log part: one is lost, doubled or out of order."""
    for number, (told, kept) in enumerate(zip(acknowledged, logged, strict=False), 1):
        if told != kept:
            return f"move {number}: (seat, move) {told} was acknowledged, the log has {kept}"
    if len(acknowledged) != len(logged):
        return f"{len(acknowledged)} moves were acknowledged, the log has {len(logged)}"
    return "" if logged else "the log has no moves"


def watched_otherwise(watched: Sequence[int], head: int) -> str:
    """Whether a watcher was told each event up to the head once and in order; the problem, if not."""
    for expected, seq in zip(range(1, head + 1), watched, strict=False):
        if seq != expected:
            return f"the watcher was told event {seq} where {expected} was next"
    return "" if len(watched) == head else f"the watcher was told {len(watched)} events of {head}"


def unverified(records: Sequence[Exported]) -> str:
    """What offline verification finds wrong with a log."""
    exported = [verify.Exported(Record(each.seq, each.event, each.hash), each.canonical) for each in records]
    report = verify.verify_log(exported, games_by_rules())
    return "" if report.failure is None else f"event {report.failure.seq}: {report.failure.what}"
