"""The parts of the compose run that decide: each must be able to say no."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hamle.event.v1.event_pb2 import Event, Moved
from hamle_client import Record

from tests.compose.checklist import Checklist
from tests.compose.commands import CommandFailed, output, works
from tests.compose.confinement import unconfined
from tests.compose.images import defaults
from tests.compose.logs import objectionable
from tests.compose.project import unhealthy, user_ids
from tests.compose.prometheus import values
from tests.compose.proof import difference, first_difference, unverified, watched_otherwise
from tests.compose.table import Played

MOVES = [(0, "d1e-d1c"), (1, "c2a-c2b"), (0, "d1c-d1e")]


def _record(seq: int, event: Event, *, redacted: bool = False) -> Record:
    return Record(seq, event.SerializeToString(), bytes(16), b"", redacted)


def _log(moves: list[tuple[int, str]], *, redacted: bool = False) -> list[Record]:
    return [
        _record(seq, Event(moved=Moved(seat=seat, move=move)), redacted=redacted)
        for seq, (seat, move) in enumerate(moves, 1)
    ]


def _told(moves: list[tuple[int, str]]) -> Played:
    return Played("00match", dict(enumerate(moves, 1)), list(range(1, len(moves) + 1)))


def test_a_log_that_holds_what_was_told_has_no_difference() -> None:
    assert difference(_told(MOVES), _log(MOVES)) == ""


@pytest.mark.parametrize(
    ("logged", "said"),
    [
        (MOVES[:2], "3 moves were acknowledged, the log has 2"),
        ([MOVES[0], *MOVES], "move 2"),
        ([*MOVES, (1, "a1a-a1b")], "3 moves were acknowledged, the log has 4"),
        ([MOVES[1], MOVES[0], MOVES[2]], "move 1"),
        ([(1, MOVES[0][1]), *MOVES[1:]], "move 1"),
        ([], "the log has 0"),
    ],
)
def test_a_lost_doubled_added_or_swapped_move_is_a_difference(logged: list[tuple[int, str]], said: str) -> None:
    assert said in first_difference(MOVES, logged)
    assert said in difference(_told(MOVES), _log(logged))


def test_a_match_without_moves_proves_nothing() -> None:
    assert first_difference([], []) == "the log has no moves"


def test_a_redacted_export_is_no_proof() -> None:
    assert "redacted" in difference(_told(MOVES), _log(MOVES, redacted=True))


@pytest.mark.parametrize("watched", [[1, 2], [1, 3], [1, 2, 2, 3], [2, 1, 3], [1, 2, 3, 4], []])
def test_a_watcher_who_misses_or_hears_twice_is_noticed(watched: list[int]) -> None:
    assert watched_otherwise([1, 2, 3], 3) == ""
    assert watched_otherwise(watched, 3)


def test_a_log_that_no_rules_lead_to_does_not_verify() -> None:
    assert "event 1" in unverified(_log(MOVES))
    assert "empty" in unverified([])


def test_services_that_are_starting_ailing_or_missing_are_not_healthy() -> None:
    inspected: dict[str, dict[str, Any]] = {
        "store": {"State": {"Health": {"Status": "healthy"}}},
        "gateway-1": {"State": {"Health": {"Status": "starting"}}},
        "gateway-2": {"State": {}},
    }
    assert unhealthy(inspected, ["store"]) == {}
    expected = {"gateway-1": "starting", "gateway-2": "not there", "timekeeper": "not there"}
    assert unhealthy(inspected, ["store", *expected]) == expected


def test_the_user_ids_of_all_processes_are_read() -> None:
    top = "PID                 UID                 COMMAND\n850                 10001      python3\n851   0   sh\n"
    assert user_ids(top) == {0, 10001}


def _inspected(**changes: Any) -> dict[str, Any]:
    host = {"Privileged": False, "ReadonlyRootfs": True, "CapDrop": ["ALL"], "CapAdd": None}
    ports = changes.pop("ports", None)
    return {"HostConfig": host | changes, "NetworkSettings": {"Ports": ports}}


def test_a_container_that_may_do_more_than_it_needs_is_noticed() -> None:
    published = {"7410/tcp": [{"HostIp": "127.0.0.1", "HostPort": "7410"}]}
    assert unconfined("store", _inspected()) == ""
    assert unconfined("store", _inspected(ports={"6379/tcp": None})) == ""
    assert unconfined("gateway-1", _inspected(ports=published)) == ""
    assert "read-only root file system: False" in unconfined("store", _inspected(ReadonlyRootfs=False))
    assert "privileged: True" in unconfined("store", _inspected(Privileged=True))
    assert "capabilities" in unconfined("store", _inspected(CapDrop=None))
    assert "capabilities" in unconfined("store", _inspected(CapAdd=["NET_ADMIN"]))
    assert "published" in unconfined("store", _inspected(ports=published))
    assert "published" in unconfined("gateway-1", _inspected())
    assert "0.0.0.0" in unconfined("gateway-1", _inspected(ports={"7410/tcp": [{"HostIp": "0.0.0.0"}]}))


def test_the_values_of_a_query_are_by_host() -> None:
    one = {"metric": {"instance": "coerceo-1:9100"}, "value": [1.0, "7"]}
    total = {"metric": {}, "value": [1.0, "9"]}
    assert values({"status": "success", "data": {"result": [one, total]}}) == {"coerceo-1": 7.0, "": 9.0}
    with pytest.raises(ValueError, match="parse error"):
        values({"status": "error", "error": "parse error"})


def test_secrets_faults_and_silence_in_a_log_are_noticed() -> None:
    fine = json.dumps({"level": "warning", "event": "store lost"})
    assert objectionable(fine, ["sesame"]) == ""
    assert "empty" in objectionable("\n", ["sesame"])
    assert "token" in objectionable(f"{fine}\nopen sesame", ["sesame"])
    assert "task failed" in objectionable(json.dumps({"level": "error", "event": "task failed"}), [])
    assert "Traceback" in objectionable(f"{fine}\nTraceback (most recent call last):", [])


def test_the_defaults_of_a_compose_file_are_read() -> None:
    text = "image: ${REDIS_IMAGE:-redis:7}\nports: ['${ADDRESS:-127.0.0.1}:${PORT:-1}:1']\nurl: ${URL}\nnone: ${NONE:-}"
    assert defaults(text) == {"REDIS_IMAGE": "redis:7", "ADDRESS": "127.0.0.1", "PORT": "1", "NONE": ""}


def test_a_checklist_is_right_only_when_something_passed_and_nothing_failed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    checks = Checklist()
    assert not checks.ok
    checks.check("one")
    assert checks.ok
    checks.check("two", "it broke")
    assert not checks.ok
    assert checks.summary() == "1 passed, 1 failed"
    assert "FAILED  two: it broke" in capsys.readouterr().out


def test_a_command_that_fails_says_what_it_said() -> None:
    script = "import sys; print(sys.stdin.read()); print('no', file=sys.stderr)"
    run = (sys.executable, "-c", script)
    assert output(*run, within_s=60, stdin="yes").strip() == "yes"
    assert output(*run, within_s=60, stdin="yes", stderr=True).split() == ["yes", "no"]
    with pytest.raises(CommandFailed, match=r"exit code 3\n(.|\n)*no such thing"):
        output(sys.executable, "-c", "import sys; print('no such thing'); sys.exit(3)", within_s=60)
    with pytest.raises(CommandFailed, match="is not installed"):
        output("hamle-no-such-command", within_s=60)
    assert not works("hamle-no-such-command", within_s=60)


def test_a_command_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(CommandFailed, match="not done after"):
        output(sys.executable, "-c", "import time; time.sleep(60)", within_s=0.2)
