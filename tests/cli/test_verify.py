from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hamle.event.v1 import event_pb2
from typer.testing import CliRunner

from cli import logfile
from cli.app import make_app
from tests.cli.logs import MATCH, finished_records, write_log
from tests.logs.record import FOLDER as LOGS

APP = make_app(["verify", "replay"])


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_log(tmp_path_factory.mktemp("log") / "match.jsonl", finished_records())


def test_finished_match_verifies(log: Path) -> None:
    result = CliRunner().invoke(APP, ["verify", str(log)])
    assert result.exit_code == 0
    checks, _, rest = result.stdout.partition("all ")
    assert [line.split(":")[0] for line in checks.splitlines()] == [
        "ok  header",
        "ok  rules",
        "ok  hash chain",
        "ok  commitment",
        "ok  chance",
    ]
    assert "events hold" in rest


def test_match_id_is_not_proven_and_what_tells_the_log_from_others_is_shown(log: Path) -> None:
    records = finished_records()
    created = event_pb2.Event.FromString(records[0].event).created
    told = CliRunner().invoke(APP, ["verify", str(log)]).stdout
    assert f"not proven: that this is match {MATCH}" in told
    assert f"commitment {created.commitment.hex()}" in told
    assert f"event {len(records)}, hash {records[-1].hash.hex()}" in told
    report = json.loads(CliRunner().invoke(APP, ["verify", str(log), "--json"]).stdout)
    assert (report["match_id"], report["match_id_proven"]) == (MATCH, False)
    assert (report["commitment"], report["hash"]) == (created.commitment.hex(), records[-1].hash.hex())


def test_json_is_one_object_on_one_line(log: Path) -> None:
    result = CliRunner().invoke(APP, ["verify", str(log), "--json"])
    report = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert report["ok"] is True
    assert report["failure"] is None
    assert report["events"] == len(log.read_text().splitlines()) - 1


def test_an_altered_state_is_shown_where_it_differs_and_not_in_full(tmp_path: Path) -> None:
    records = finished_records()
    altered = records[4].canonical[:-2] + bytes([records[4].canonical[-2] ^ 1]) + records[4].canonical[-1:]
    records[4] = records[4]._replace(canonical=altered)
    result = CliRunner().invoke(APP, ["verify", str(write_log(tmp_path / "match.jsonl", records))])
    assert result.exit_code == 1
    shown = dict(line.split(maxsplit=1) for line in result.stderr.splitlines() if line.startswith("  "))
    assert shown["expected"] != shown["found"]
    assert max(len(shown[name]) for name in ("expected", "found")) <= 66
    assert shown["found"].startswith("…")
    assert shown["found"].endswith(altered[-4:].hex())
    assert altered.hex() not in result.stderr


@pytest.fixture
def altered(tmp_path: Path) -> tuple[Path, int]:
    """A log in which a move was replaced by another legal one of the same seat."""
    records = finished_records()
    moves = [n for n, r in enumerate(records) if event_pb2.Event.FromString(r.event).HasField("moved")]
    first, other = moves[0], moves[2]
    event = event_pb2.Event.FromString(records[first].event)
    event.moved.move = event_pb2.Event.FromString(records[other].event).moved.move
    records[first] = records[first]._replace(event=event.SerializeToString())
    return write_log(tmp_path / "altered.jsonl", records), records[first].seq


def test_first_event_that_differs_is_named_and_exit_code_is_1(altered: tuple[Path, int]) -> None:
    path, seq = altered
    result = CliRunner().invoke(APP, ["verify", str(path)])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"event {seq}: ")
    assert result.stdout == ""


def test_difference_is_shown_field_by_field(altered: tuple[Path, int]) -> None:
    path, seq = altered
    result = CliRunner().invoke(APP, ["verify", str(path), "--json"])
    assert result.exit_code == 1
    failure = json.loads(result.stdout)["failure"]
    assert failure["seq"] == seq
    if "was altered" in failure["what"]:
        assert any(field["path"].startswith("game") for field in failure["fields"])


def test_drifted_state_is_shown_field_by_field(tmp_path: Path) -> None:
    records = finished_records()
    at = len(records) // 2
    records[at] = records[at]._replace(canonical=records[at - 2].canonical)
    result = CliRunner().invoke(APP, ["verify", str(write_log(tmp_path / "drift.jsonl", records))])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"event {at + 1}: the exported state")
    assert "recorded" in result.stderr


def test_log_without_its_end_proves_nothing(tmp_path: Path) -> None:
    result = CliRunner().invoke(APP, ["verify", str(write_log(tmp_path / "cut.jsonl", finished_records()[:-1]))])
    assert result.exit_code == 1
    assert "before the secret was revealed" in result.stderr


@pytest.mark.parametrize(("name", "value"), [("game", "battleline"), ("rules", "coerceo/2")])
def test_header_of_another_game_is_a_failure(log: Path, tmp_path: Path, name: str, value: str) -> None:
    first, *events = log.read_text().splitlines(keepends=True)
    path = tmp_path / "renamed.jsonl"
    path.write_text("".join([json.dumps(json.loads(first) | {name: value}) + "\n", *events]))
    failure = failure_of(path)
    assert failure["seq"] == 1
    held = {"game": "coerceo", "rules": "coerceo/1"}[name]
    assert failure["fields"] == [{"path": f"header.{name}", "recorded": value, "computed": held}]


def test_fork_under_the_id_of_its_parent_is_a_failure(tmp_path: Path) -> None:
    fork = next((LOGS / "coerceo").glob("fork*.jsonl"))
    log = logfile.read(fork)
    at, event = next(
        (record.seq, event)
        for record, _ in log.records
        if (event := event_pb2.Event.FromString(record.event)).HasField("forked")
    )
    first, *events = fork.read_text().splitlines(keepends=True)
    path = tmp_path / "fork.jsonl"
    path.write_text("".join([json.dumps(json.loads(first) | {"match_id": event.forked.parent}) + "\n", *events]))
    assert CliRunner().invoke(APP, ["verify", str(fork)]).exit_code == 0
    assert failure_of(path)["seq"] == at


def failure_of(path: Path) -> dict[str, Any]:
    """What is told as JSON of a log that does not verify."""
    result = CliRunner().invoke(APP, ["verify", str(path), "--json"])
    assert result.exit_code == 1, result.output
    report = json.loads(result.stdout)
    assert report["ok"] is False
    found: dict[str, Any] = report["failure"]
    return found


def _without(lines: list[str]) -> list[str]:
    return lines[:5] + lines[6:]


def _doubled(lines: list[str]) -> list[str]:
    return [*lines[:6], lines[5], *lines[6:]]


def _cut(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1][:40]]


def _no_json(lines: list[str]) -> list[str]:
    return [*lines[:5], "{\n", *lines[6:]]


def _with(**changes: object) -> Callable[[list[str]], list[str]]:
    return lambda lines: [*lines[:5], json.dumps(json.loads(lines[5]) | changes) + "\n", *lines[6:]]


@pytest.mark.parametrize(
    ("damage", "seq", "expected", "found"),
    [
        (_without, 5, "seq 5", "seq 6"),
        (_doubled, 6, "seq 6", "seq 5"),
        (_cut, -1, "a JSON object", "40 bytes of something else"),
        (_no_json, 5, "a JSON object", "2 bytes of something else"),
        (_with(seq="5"), 5, "seq 5", "seq '5'"),
        (_with(hash="00"), 5, "16 bytes", "1"),
        (_with(event="%"), 5, '"hash" in hex and "event" in base64', "something else"),
        (_with(canonical="%"), 5, "base64", "something else"),
    ],
)
def test_damaged_record_is_a_failure_with_its_seq(
    log: Path, tmp_path: Path, damage: Callable[[list[str]], list[str]], seq: int, expected: str, found: str
) -> None:
    lines = log.read_text().splitlines(keepends=True)
    path = tmp_path / "damaged.jsonl"
    path.write_text("".join(damage(lines)))
    failure = failure_of(path)
    assert failure["seq"] == (seq if seq > 0 else len(lines) - 1)
    assert failure["what"].startswith(f"line {failure['seq'] + 1} of the file: ")
    assert (failure["expected"], failure["found"]) == (expected, found)
    told = CliRunner().invoke(APP, ["verify", str(path)])
    assert (told.exit_code, told.stdout) == (1, "")
    assert told.stderr.startswith(f"event {failure['seq']}: line ")


def test_altered_event_before_the_damage_is_named_first(altered: tuple[Path, int]) -> None:
    path, seq = altered
    path.write_text(path.read_text()[:-40])
    assert failure_of(path)["seq"] == seq


def test_what_was_expected_is_told_whole_where_only_the_event_tells_what_was_found(log: Path, tmp_path: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    line = json.loads(lines[-2])
    event = event_pb2.Event.FromString(base64.b64decode(line["event"]))
    first, second = event.finished.outcome.placements
    first.place, second.place = second.place, first.place
    line["event"] = base64.b64encode(event.SerializeToString()).decode()
    path = tmp_path / "altered.jsonl"
    path.write_text("".join([*lines[:-2], json.dumps(line) + "\n", lines[-1]]))
    failure = failure_of(path)
    assert (failure["seq"], failure["found"]) == (line["seq"], "")
    reason = event.finished.outcome.reason
    for key, places in (("what", (first.place, second.place)), ("expected", (second.place, first.place))):
        placed = ", ".join(f"seat {seat} in place {place} in team {seat}" for seat, place in enumerate(places))
        assert failure[key].removeprefix("the outcome is ") == f"{reason}: {placed}"
    told = CliRunner().invoke(APP, ["verify", str(path)]).stderr
    assert told == f"event {line['seq']}: {failure['what']}\n  expected {failure['expected']}\n"


def test_damaged_log_is_not_replayed(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text(log.read_text()[:-40])
    result = CliRunner().invoke(APP, ["replay", str(path)])
    assert result.exit_code == 2
    assert "cut off" in result.stderr


def test_redacted_log_is_refused_with_what_to_do(tmp_path: Path) -> None:
    records = [record._replace(redacted=True, canonical=b"") for record in finished_records()]
    result = CliRunner().invoke(APP, ["verify", str(write_log(tmp_path / "live.jsonl", records))])
    assert result.exit_code == 2
    assert "export it again once it is over" in result.stderr


@pytest.mark.parametrize("content", ["", "{}", "not json", '{"hamle_log": 9}', "\x00"])
def test_file_that_is_no_log_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(content)
    result = CliRunner().invoke(APP, ["verify", str(path)])
    assert result.exit_code == 2
    assert "line 1" in result.stderr


def test_missing_file_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(APP, ["verify", str(tmp_path / "none")])
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_exported_file_is_replayed_offline(log: Path) -> None:
    events = len(log.read_text().splitlines()) - 1
    result = CliRunner().invoke(APP, ["replay", str(log)])
    assert result.exit_code == 0
    assert "Play has begun" in result.stdout
    assert "The match is over" in result.stdout
    at = CliRunner().invoke(APP, ["replay", str(log), "--at", "6", "--json"])
    step = json.loads(at.stdout)
    assert (step["head"], step["seq"], step["kind"]) == (events, 6, "moved")
    beyond = CliRunner().invoke(APP, ["replay", str(log), "--at", str(events + 1)])
    assert beyond.exit_code == 2
    assert f"--at takes 1 to {events}" in beyond.stderr


def test_replayed_board_is_drawn(log: Path) -> None:
    result = CliRunner().invoke(APP, ["replay", str(log), "--at", "6", "--language", "tr"])
    assert result.exit_code == 0
    assert "/" in result.stdout
    assert "Beyaz" in result.stdout
