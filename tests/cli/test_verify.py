from __future__ import annotations

import json
from pathlib import Path

import pytest
from hamle.event.v1 import event_pb2
from typer.testing import CliRunner

from cli.main import make_app
from tests.cli.logs import MATCH, finished_records, write_log

APP = make_app(["verify", "replay"])


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_log(tmp_path_factory.mktemp("log") / "match.jsonl", finished_records())


def test_finished_match_verifies(log: Path) -> None:
    result = CliRunner().invoke(APP, ["verify", str(log)])
    assert result.exit_code == 0
    assert [line.split(":")[0] for line in result.stdout.splitlines()] == [
        "ok  rules",
        "ok  hash chain",
        "ok  commitment",
        "ok  chance",
        MATCH,
    ]


def test_json_is_one_object_on_one_line(log: Path) -> None:
    result = CliRunner().invoke(APP, ["verify", str(log), "--json"])
    report = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert report["ok"] is True
    assert report["failure"] is None
    assert report["events"] == len(log.read_text().splitlines()) - 1


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
