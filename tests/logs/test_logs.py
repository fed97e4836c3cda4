"""Logs of every event version ever written are folded to the same hashes, states and bytes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.message import Message
from hamle.event.v1 import event_pb2

from cli import logfile
from engines.battleline import GAME as BATTLE_LINE
from engines.battleline.cards import NAMES, TROOPS
from engines.kit.life import Status
from engines.kit.verify import verify_log
from tests.logs import record
from tests.logs.check import Drift, check, games, stored, walk, write

LOGS = sorted(record.FOLDER.glob("*/*.jsonl"))
NEVER_WRITTEN = {"hamle.event.v1.SealedSecret.key_id"}
"""Nothing seals secrets yet."""


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", LOGS, ids=name)
def test_log_folds_to_its_hashes_states_and_bytes(path: Path) -> None:
    history = check(path, games())
    status = history.state.life.status
    assert status in (Status.FINISHED, Status.CANCELLED)
    if status is Status.FINISHED:
        log = logfile.read(path)
        assert verify_log(log.records, games(), log.materials, log.header).failure is None


@pytest.mark.parametrize("match", record.MATCHES, ids=str)
def test_what_is_written_today_is_recorded(match: record.Match) -> None:
    versions = record.versions(match)
    assert versions, f"there is no log of {match}; `{record.COMMAND}` writes it"
    assert stored(versions[-1]) == record.records_now(match), (
        f"{match} is written in other bytes today than in {versions[-1].name}. If the events have a new version, "
        f"`{record.COMMAND}` records it and keeps the old one"
    )


def test_every_log_is_of_a_match_that_is_still_played() -> None:
    assert {path for match in record.MATCHES for path in record.versions(match)} == set(LOGS)


def events() -> Iterator[event_pb2.Event]:
    for path in LOGS:
        for entry in stored(path):
            yield event_pb2.Event.FromString(entry.event)


def test_every_kind_of_event_is_recorded_for_a_game_or_for_both() -> None:
    bodies = {field.name for field in event_pb2.Event.DESCRIPTOR.oneofs_by_name["body"].fields}
    assert {str(event.WhichOneof("body")) for event in events()} == bodies


def test_every_field_of_every_event_is_recorded() -> None:
    messages = [inner for event in events() for inner in walk(event)]
    written = {field.full_name for message in messages for field, _ in message.ListFields()}
    kinds = {message.DESCRIPTOR for message in messages}
    known = {field.full_name for kind in kinds for field in kind.fields}
    assert known - written == NEVER_WRITTEN


def test_every_value_of_every_choice_is_recorded() -> None:
    enums: dict[EnumDescriptor, set[int]] = {}
    for event in events():
        for message in walk(event):
            for field, value in message.ListFields():
                if field.enum_type is not None:
                    enums.setdefault(field.enum_type, set()).add(value)
    assert {kind.name for kind in enums} == {"Visibility", "CancelReason"}
    for kind, seen in enums.items():
        assert seen == {value.number for value in kind.values} - {0}, kind.name


class Drifted:
    """A game whose states are written in other bytes than they were."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def dump(self, state: Any) -> bytes:
        return bytes(self._game.dump(state)) + b" "


@pytest.mark.parametrize("log", ["coerceo/won", "battleline/won", "cellar/undone"])
def test_a_changed_dump_is_noticed(log: str) -> None:
    drifted = {rules: Drifted(rule) for rules, rule in games().items()}
    with pytest.raises(Drift, match="event 4"):
        check(record.FOLDER / f"{log}.jsonl", drifted)


def test_every_option_and_every_tactics_card_of_battle_line_is_recorded() -> None:
    options: set[tuple[str, str]] = set()
    moves = []
    for path in (record.FOLDER / "battleline").glob("*.jsonl"):
        for entry in stored(path):
            event = event_pb2.Event.FromString(entry.event)
            options |= set(event.created.options.items())
            moves.append(event.moved.move)
    known = {(option.name, value) for option in BATTLE_LINE.info.options for value in option.values}
    assert known - options == {("series", "3"), ("series", "5")}
    for kind in (*NAMES[TROOPS:], "claim:", "draw:troop", "draw:tactic", "done", "pass", "ret:", "trim:", "R", "P"):
        assert any(move.startswith(kind) for move in moves), kind


def altered(path: Path, message: Message, folder: Path) -> Path:
    """The log with another first event, its hash left as it is."""
    first, *rest = stored(path)
    records = [first._replace(event=message.SerializeToString(deterministic=True)), *rest]
    write(folder / "altered.jsonl", logfile.read(path).header, records)
    return folder / "altered.jsonl"


def test_a_changed_event_is_noticed_and_told_by_field(tmp_path: Path) -> None:
    event = next(events())
    event.created.start_within_ms += 1
    with pytest.raises(Drift, match=r"life\.until_ms: recorded"):
        check(altered(LOGS[0], event, tmp_path), games())


def test_a_field_that_is_no_longer_known_is_noticed(tmp_path: Path) -> None:
    unknown = next(events())
    unknown.MergeFromString(b"\xf8\x3f\x01")
    with pytest.raises(Drift, match="does not know any more"):
        check(altered(LOGS[0], unknown, tmp_path), games())


def test_the_command_writes_what_is_missing_and_touches_nothing_else(tmp_path: Path) -> None:
    matches = record.MATCHES[:3]
    first, second, third = (record.versions(match)[0] for match in matches)
    for path in (first, second):
        (tmp_path / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, tmp_path / path.parent.name)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.jsonl")}
    written = record.write_missing(tmp_path, matches)
    assert [path.name for path in written] == [third.name]
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert record.write_missing(tmp_path, matches) == []


def test_another_version_stands_beside_the_old_one(tmp_path: Path) -> None:
    match = record.MATCHES[0]
    other = record.Match(match.game, match.name, record.MATCHES[2].play)
    record.write_missing(tmp_path, [match])
    assert [path.name for path in record.write_missing(tmp_path, [other])] == ["won.2.jsonl"]
    assert [path.name for path in record.write_missing(tmp_path, [match])] == ["won.3.jsonl"]
    assert [path.name for path in record.versions(match, tmp_path)] == ["won.jsonl", "won.2.jsonl", "won.3.jsonl"]


def test_no_version_is_added_to_a_log_that_no_longer_folds(tmp_path: Path) -> None:
    match = record.MATCHES[0]
    (path,) = record.write_missing(tmp_path, [match])
    first = stored(path)[0]
    path.write_text(path.read_text(encoding="utf-8").replace(first.hash.hex(), "00" * 16), encoding="utf-8")
    with pytest.raises(Drift, match="event 1"):
        record.write_missing(tmp_path, [match])
    assert record.versions(match, tmp_path) == [path]
