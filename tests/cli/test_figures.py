from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.errors import Stop
from cli.figures import fitting, report, runner_in
from tests.cli.hamle import hamle


@pytest.fixture
def measurement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module with a `run`, as measurements are."""
    (tmp_path / "measured_here.py").write_text("def run(**options):\n    return {'figure': 1.5, **options}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "measured_here", raising=False)
    return "measured_here"


def test_first_module_that_is_there_runs(measurement: str) -> None:
    assert runner_in("nowhere.at.all", measurement)(a=1) == {"figure": 1.5, "a": 1}


def test_command_without_its_module_says_so() -> None:
    with pytest.raises(Stop, match=r"nowhere\.at\.all is not there"):
        runner_in("nowhere.at.all", "sys.nowhere")


def test_figures_are_one_json_object_or_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    report({"moves_per_s": 7123.456, "durability": "fsynced", "matches": 1280}, json=True)
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == {"moves_per_s": 7123.456, "durability": "fsynced", "matches": 1280}
    report({"moves_per_s": 7123.456, "durability": "fsynced", "matches": 1280}, json=False)
    table = capsys.readouterr().out
    assert "7,123.46" in table
    assert "1,280" in table


async def test_unknown_measurement_is_a_usage_error() -> None:
    result = await hamle("bench", "coffee")
    assert result.exit_code == 2
    assert "coffee" in result.stderr


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["--nonsense", "3"], "there is no option --nonsense; there are --in-flight (128), "),
        (["--in-flight", "many"], "--in-flight many: expected such as 128"),
        (["--in-flight", "-1"], "--in-flight -1: expected at least 1"),
        (["--in-flight", "0"], "--in-flight 0: expected at least 1"),
        (["--in-flight"], "--in-flight True"),
        (["--fsync", "3"], "--fsync 3: expected always or everysec"),
        (["nonsense"], "is no option"),
    ],
)
async def test_option_that_the_measurement_does_not_take_is_a_usage_error(typed: list[str], said: str) -> None:
    result = await hamle("bench", "append", *typed)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["moves", "--matches", "0"], "--matches 0: expected at least 1"),
        (["moves", "--moves", "701"], "--moves 701: expected 20 to 700"),
        (["moves", "--grpc-server", "other"], "--grpc-server other: expected native or grpcio"),
        (["watch", "--watchers", "19"], "--watchers 19: expected at least 20"),
        (["replay", "--runs", "0"], "--runs 0: expected at least 1"),
    ],
)
async def test_what_cannot_be_measured_is_a_usage_error(typed: list[str], said: str) -> None:
    result = await hamle("bench", *typed)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_options_of_a_measurement_are_passed_on() -> None:
    def run(*, server: str | None = None, seconds: float = 3, idle_s: float = 1.5, fsync: str = "always") -> Any:
        return {}

    given = {"seconds": 2, "idle_s": 0, "fsync": "everysec"}
    assert fitting(run, given) == given


@pytest.mark.parametrize("typed", [["bench", "append"], ["bench", "replay"], ["bench", "moves"], ["faults"]])
async def test_servers_of_others_are_neither_measured_nor_killed(typed: list[str]) -> None:
    for named in ([*typed, "--server", "127.0.0.1:1"], ["--server", "127.0.0.1:1", *typed]):
        result = await hamle(*named)
        assert result.exit_code == 2
        assert "leave --server out" in " ".join(result.stderr.split())
    assert "--server" not in (await hamle(typed[0], "--help")).stdout


async def test_wrong_choice_for_up_is_a_usage_error() -> None:
    for option in (["--fsync", "sometimes"], ["--grpc-server", "other"], ["--game", "nim"], ["--game", "../coerceo"]):
        result = await hamle("up", *option)
        assert result.exit_code == 2
        assert option[1] in result.stderr
