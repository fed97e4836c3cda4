"""The command, with next to no faults: what it prints, and that nothing is left behind however it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from deploy.local.member import ROOT

KEYS = {"faults", "accepted", "lost", "doubled", "reordered", "longest_gap_s"}


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """The running command. It ends with the block, and with it all that it has started."""
    path = os.pathsep.join(map(str, (ROOT, ROOT / "gen", ROOT / "clients" / "python")))
    running = subprocess.Popen(
        [sys.executable, "-m", "cli.main", "faults", *arguments],
        env={**os.environ, "PYTHONPATH": path, "TMPDIR": str(folder)},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def left_behind(folder: Path) -> list[object]:
    processes = [process for process in psutil.process_iter(["environ"]) if _is_of(process, str(folder))]
    return [*processes, *folder.iterdir()]


def _is_of(process: psutil.Process, folder: str) -> bool:
    return folder in (process.info["environ"] or {}).get("TMPDIR", "")


@pytest.mark.timeout(240)
def test_a_run_prints_its_figures_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with started(tmp_path, "--rounds", "0", "--moves", "40", "--tables", "2", "--json") as running:
        out, err = running.communicate(timeout=200)
    assert running.returncode == 0, err
    figures = json.loads(out)
    assert out.count("\n") == 1
    assert figures.keys() >= KEYS
    assert figures["accepted"] >= 40
    assert (figures["lost"], figures["doubled"], figures["reordered"], figures["failures"]) == (0, 0, 0, 0)
    assert figures["matches_verified"] >= 2
    assert left_behind(tmp_path) == []


@pytest.mark.timeout(240)
@pytest.mark.parametrize("signum", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.nightly)])
def test_a_run_that_is_stopped_leaves_nothing_behind(tmp_path: Path, signum: signal.Signals) -> None:
    with started(tmp_path, "--rounds", "1", "--moves", "100000", "--tables", "2") as running:
        assert running.stderr is not None
        while "round 1" not in (line := running.stderr.readline()):
            assert line, "the run ended by itself"
        running.send_signal(signum)
        running.communicate(timeout=100)
    assert running.returncode not in (0, None)
    assert left_behind(tmp_path) == []


@pytest.mark.timeout(240)
def test_a_run_that_has_failed_says_so_and_ends_with_exit_code_1(tmp_path: Path) -> None:
    typed = ("--rounds", "0", "--moves", "1000000", "--tables", "2", "--longest-s", "1", "--json")
    with started(tmp_path, *typed) as running:
        out, err = running.communicate(timeout=200)
    assert running.returncode == 1, err
    assert json.loads(out)["failures"] == 1
    assert "failures: 1; the first of them:" in err
    assert "the run did not end within 1 s" in err
    [logs] = left_behind(tmp_path)
    assert f"the servers' logs: {logs}" in err


def test_servers_of_others_are_not_killed(tmp_path: Path) -> None:
    with started(tmp_path, "--server", "127.0.0.1:1") as running:
        _, err = running.communicate(timeout=100)
    assert running.returncode != 0
    assert "leave --server out" in err


@pytest.mark.timeout(240)
def test_an_engine_that_ends_though_nobody_killed_it_is_a_failure_and_the_logs_are_kept(tmp_path: Path) -> None:
    with started(tmp_path, "--rounds", "0", "--moves", "1000000", "--tables", "2", "--json") as running:
        assert running.stderr is not None
        while "all faults done" not in (line := running.stderr.readline()):
            assert line, "the run ended by itself"
        while not (engines := writing_to(tmp_path, "engine-0.log")):
            assert running.poll() is None
        for engine in engines:
            engine.terminate()
        out, err = running.communicate(timeout=200)
    assert running.returncode == 1, err
    assert json.loads(out)["failures"] >= 1
    assert "engine-0 ended though nobody killed it" in err
    [logs] = tmp_path.iterdir()
    assert f"the servers' logs: {logs}" in err
    assert (logs / "engine-0.log").read_text()


def writing_to(folder: Path, log: str) -> list[psutil.Process]:
    """The processes whose output goes to a file of that name."""
    return [
        process
        for process in psutil.process_iter(["environ"])
        if _is_of(process, str(folder)) and Path(os.path.realpath(f"/proc/{process.pid}/fd/1")).name == log
    ]
