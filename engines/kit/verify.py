"""Verifying a finished match from its exported log alone: rules, hash chain, chance. No server, no trust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hamle.event.v1 import event_pb2

from core.errors import Refused
from core.fairness.chain import chain
from core.log.export import Damage, ExportHeader
from core.log.types import Record
from core.materials.naming import Material
from engines.kit.differ import Difference, differences
from engines.kit.history import HashDiffers, History
from engines.kit.state import AnyGame, canonical, hashed_of
from engines.kit.steps import FoldError


class Exported(NamedTuple):
    """A record as an export holds it, with the canonical bytes of the match state after it (empty: not exported)."""

    record: Record
    canonical: bytes


class Failure(NamedTuple):
    """The first event that does not verify: what is wrong with it, and field by field what these rules make of it."""

    seq: int
    what: str
    expected: str
    found: str
    fields: list[Difference]


class Report(NamedTuple):
    """What verification found. `checks` names what holds for all `events`.

    No event names its match, so the match id that a file gives is not proven by it. `commitment` (32 bytes) and `hash`,
    that of the last event that holds, are what tells this log from any other: the server shows both for the match, and
    a player may hold cursors. They are empty as long as there is no event.
    """

    ok: bool
    events: int
    checks: list[str]
    failure: Failure | None
    commitment: bytes
    hash: bytes


def verify_log(
    exported: Iterable[Exported],
    games: Mapping[str, AnyGame],
    materials: Iterable[Material] = (),
    header: ExportHeader | None = None,
    damage: Damage | None = None,
) -> Report:
    """Folds the log of a finished match and holds every event against it.

    `games` are the games by rules version, `materials` what the export says that the match was played with, `header`
    what it says of the match, and `damage` why it is no export after the last of `exported`. That a log is cut short or
    redacted is a failure too: without the secret nothing is proven.
    """
    history = History(games, materials)
    for record, recorded in exported:
        try:
            event, _, folded = history.add(record)
        except HashDiffers as differs:
            return _failed(history, _explain(differs, history, record, recorded))
        except FoldError as error:
            return _failed(history, Failure(error.seq, error.what, error.expected, "", []))
        except Refused as refused:
            expected, found = (refused.metadata.get(name, "") for name in ("expected", "found"))
            return _failed(history, Failure(record.seq, refused.message, expected, found, []))
        if recorded and recorded != (computed := canonical(history.game, folded.state)):
            fields = differences(history.game, recorded, computed)
            what = "the exported state is not the one that follows from the events"
            return _failed(history, Failure(record.seq, what, computed.hex(), recorded.hex(), fields))
        if header is not None and (failure := _misnamed(header, record.seq, event)) is not None:
            return _failed(history, failure)
    if damage is not None:
        what = f"line {damage.line} of the file: {damage.what}"
        return _failed(history, Failure(damage.seq, what, damage.expected, damage.found, []))
    if history.seq == 0:
        return _failed(history, Failure(0, "the log is empty", "a finished match", "", []))
    life = history.state.life
    if not life.revealed:
        what = "the log ends before the secret was revealed"
        return _failed(history, Failure(history.seq, what, "the secret of a finished match", life.status.name, []))
    named = ["header: game and rules version are those of the first event"] if header is not None else []
    checks = [
        *named,
        f"rules: every event is what {life.rules} makes of the one before",
        "hash chain: every state hash follows from the secret, the events and the states",
        "commitment: the revealed secret is the one that was committed to before anybody sat",
        "chance: every draw follows from the secret and the entropy of the seats",
    ]
    return Report(True, history.seq, checks, None, life.commitment, history.hash)


def _failed(history: History, failure: Failure) -> Report:
    commitment = b"" if history.latest is None else history.latest.life.commitment
    return Report(False, history.seq, [], failure, commitment, history.hash)


def _misnamed(header: ExportHeader, seq: int, event: event_pb2.Event) -> Failure | None:
    """What the header says of the match and an event denies; only the first event and `forked` say anything of it."""
    said: list[tuple[str, str, str]] = []
    if event.HasField("created"):
        created = event.created
        said = [("game", header.game, created.game), ("rules", header.rules, created.rules)]
    differ = [Difference(f"header.{name}", told, held) for name, told, held in said if told != held]
    if differ:
        what = "the first line of the file names another game or other rules than the first event"
        expected, found = (" ".join(text) for text in ((d.computed for d in differ), (d.recorded for d in differ)))
        return Failure(seq, what, expected, found, differ)
    if event.HasField("forked") and event.forked.parent == header.match_id:
        what = "the first line of the file gives the fork the id of the match that it was forked from"
        return Failure(seq, what, "another match id", header.match_id, [])
    return None


def _explain(differs: HashDiffers, history: History, record: Record, recorded: bytes) -> Failure:
    """Tells an altered log from rules that have drifted, as far as the export holds what is needed for that."""
    state = differs.folded.state
    computed = canonical(history.game, state)
    if recorded and _chains(state.key, history.hash, record, recorded):
        what = "these rules lead to another state than was recorded"
    elif recorded == computed:
        what = "the event or its state hash was altered: the state is right, the hash is not"
    else:
        what = "the event was altered: it leads to another state than was recorded"
    fields = differences(history.game, recorded, computed) if recorded else []
    return Failure(record.seq, what, differs.folded.hash.hex(), record.hash.hex(), fields)


def _chains(key: bytes, previous: bytes, record: Record, recorded: bytes) -> bool:
    try:
        return chain(key, previous, record.event, hashed_of(recorded)) == record.hash
    except ValueError:
        return False
