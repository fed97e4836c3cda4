from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engines.kit.conformance import option_sets
from engines.kit.playthrough import check, check_all, folder_of, main, plans, renew, write_missing
from engines.kit.playthrough_text import Plan, plan_of, render
from tests.engines.kit.cardgame import GAME
from tests.engines.kit.conformance.broken import TellsHalf

PATH = "tests.engines.kit.cardgame:GAME"
PLAN = Plan(option_sets(GAME.info)[0], 3)


def test_a_playthrough_is_the_same_each_time_and_has_what_people_look_for() -> None:
    text = render(GAME, PLAN)
    assert text == render(GAME, PLAN)
    lines = text.splitlines()
    assert lines[:4] == ["rules: cellar/1", "options: rounds=3 reaction_ms=0", "seats: 3", "seed: 1"]
    assert any("stake:" in line for line in lines)
    assert any("reads stake:? to" in line for line in lines)
    assert any("drew_card card=" in line and line.endswith("]") for line in lines)
    assert "outcome: reckoned" in lines
    assert max(len(line) for line in lines) <= 100
    assert all(line == line.rstrip() for line in lines)


def test_each_option_value_and_number_of_seats_is_played() -> None:
    assert set(plans(GAME)) == {
        "2-seats.txt",
        "3-seats.txt",
        "4-seats.txt",
        "2-seats-rounds-1.txt",
        "2-seats-rounds-5.txt",
        "2-seats-reaction_ms-5000.txt",
    }


def test_the_head_of_a_playthrough_says_how_it_was_made() -> None:
    for plan in plans(GAME).values():
        assert plan_of(render(GAME, plan), GAME) == plan


@pytest.mark.parametrize(
    "head",
    [
        "",
        "rules: cellar/2\noptions: rounds=3\nseats: 2\nseed: 1\n",
        "rules: cellar/1\noptions: rounds=7\nseats: 2\nseed: 1\n",
    ],
    ids=["empty", "other rules", "unknown option"],
)
def test_a_file_that_is_no_playthrough_is_refused(head: str, tmp_path: Path) -> None:
    file = tmp_path / "2-seats.txt"
    file.write_text(head)
    with pytest.raises(ValueError):
        check(file, GAME)


def test_missing_ones_are_named_and_written_and_others_left_alone(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"lacks 2-seats\.txt.*--write"):
        check_all(GAME, PATH, tmp_path)
    kept = tmp_path / "2-seats.txt"
    kept.write_text("mine")
    written = write_missing(GAME, tmp_path)
    assert {file.name for file in written} == set(plans(GAME)) - {"2-seats.txt"}
    assert kept.read_text() == "mine"
    kept.unlink()
    assert write_missing(GAME, tmp_path) == [kept]
    check_all(GAME, PATH, tmp_path)


def test_a_changed_rule_shows_as_a_difference(tmp_path: Path) -> None:
    file = tmp_path / "2-seats.txt"
    file.write_text(render(GAME, plans(GAME)["2-seats.txt"]))
    with pytest.raises(AssertionError, match=r"(?s)-\s+staked seat=1.*\+\s+staked\n"):
        check(file, TellsHalf())


def test_a_playthrough_that_nobody_planned_is_checked_too(tmp_path: Path) -> None:
    write_missing(GAME, tmp_path)
    (tmp_path / "extra.txt").write_text(render(GAME, PLAN._replace(seed=2)).replace("draw ", "draws"))
    with pytest.raises(AssertionError, match="draws"):
        check_all(GAME, PATH, tmp_path)


def test_those_that_differ_are_renewed_with_their_own_seeds_and_others_left_alone(tmp_path: Path) -> None:
    write_missing(GAME, tmp_path)
    own = PLAN._replace(seed=2)
    extra, same = tmp_path / "extra.txt", tmp_path / "2-seats.txt"
    extra.write_text(render(GAME, own).replace("draw ", "draws"))
    before = same.stat().st_mtime_ns
    assert renew(GAME, tmp_path) == [extra]
    assert extra.read_text() == render(GAME, own)
    assert same.stat().st_mtime_ns == before
    extra.write_text("no plan")
    with pytest.raises(ValueError, match="does not begin with"):
        renew(GAME, tmp_path)


def test_the_command_says_what_is_wrong_and_exits_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([PATH, "--folder", str(tmp_path)]) == 1
    assert "lacks" in capsys.readouterr().err
    assert main([PATH, "--folder", str(tmp_path), "--write"]) == 0
    assert "wrote" in capsys.readouterr().out
    assert main([PATH, "--folder", str(tmp_path)]) == 0
    (tmp_path / "2-seats.txt").write_text(render(GAME, PLAN).replace("end ", "fin "))
    assert main([PATH, "--folder", str(tmp_path)]) == 1
    assert "the playthrough differs" in capsys.readouterr().err
    assert main([PATH, "--folder", str(tmp_path), "--renew"]) == 0
    assert capsys.readouterr().out.split() == ["wrote", str(tmp_path / "2-seats.txt")]


def test_the_command_runs_from_the_root_of_the_repository() -> None:
    root = folder_of(GAME).parents[3]
    command = [sys.executable, "-W", "error", "-m", "engines.kit.playthrough", PATH]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
