"""Verifying a finished match from its exported log alone: rules, hash chain, chance. No server, no trust."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from core.errors import Refused
from core.fairness.chain import chain
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
    """What verification found. `checks` names what holds for all `events`."""

    ok: bool
    events: int
    checks: list[str]
    failure: Failure | None


def verify_log(
    exported: Iterable[Exported], games: Mapping[str, AnyGame], materials: Iterable[Material] = ()
) -> Report:
    """Folds the log of a finished match and holds every event against it.

    `games` are the games by rules version, `materials` what the export says that the match was played with. That a log
    is cut short or redacted is a failure too: without the secret nothing is proven.
    """
    history = History(games, materials)
    for record, recorded in exported:
        try:
            _, _, folded = history.add(record)
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
    if history.seq == 0:
        return _failed(history, Failure(0, "the log is empty", "a finished match", "", []))
    life = history.state.life
    if not life.revealed:
        what = "the log ends before the secret was revealed"
        return _failed(history, Failure(history.seq, what, "the secret of a finished match", life.status.name, []))
    checks = [
        f"rules: every event is what {life.rules} makes of the one before",
        "hash chain: every state hash follows from the secret, the events and the states",
        "commitment: the revealed secret is the one that was committed to before anybody sat",
        "chance: every draw follows from the secret and the entropy of the seats",
    ]
    return Report(True, history.seq, checks, None)


def _failed(history: History, failure: Failure) -> Report:
    return Report(False, history.seq, [], failure)


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
