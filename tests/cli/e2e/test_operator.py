"""What only an operator does, on a whole installation."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psutil
import pytest

from tests.cli.e2e.terminal import Terminal

pytestmark = pytest.mark.timeout(240)


def test_rotated_keys_log_nobody_out(terminal: Terminal) -> None:
    terminal.json("games")
    first = terminal.json("rotate-keys")["key"]
    assert terminal.json("rotate-keys")["key"] != first
    terminal.json("games")


def test_loss_of_a_tail_that_is_not_lost_is_refused(terminal: Terminal) -> None:
    match_id = terminal.json("play", "coerceo", "--bot", "random", stdin="quit\n")["match_id"]
    refused = terminal.run("tail-lost", match_id, "--last", "1")
    assert refused.returncode == 2
    assert "NO_TAIL_LOST" in refused.stderr
    unknown = terminal.run("tail-lost", "00aaaaaaaaaaaaaaaa", "--last", "1")
    assert unknown.returncode == 2
    assert "MATCH_NOT_FOUND" in unknown.stderr


def test_wrong_settings_are_told(terminal: Terminal) -> None:
    terminal.environ["HAMLE_STORE_URL"] = "ftp://x"
    refused = terminal.run("rotate-keys")
    assert refused.returncode == 2
    assert "HAMLE_STORE_URL" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_servers_of_its_own_leave_nothing_behind(terminal: Terminal, scratch: str) -> None:
    del terminal.environ["HAMLE_SERVER"]
    played = terminal.json("selfplay", "coerceo", "--matches", "1", "-o", "start=ocius")
    assert played["matches"] == 1
    assert os.listdir(scratch) == []
    assert left_by(terminal) == []


def test_everything_is_started_here_and_ended_by_an_interrupt(terminal: Terminal, tmp_path: Path) -> None:
    running = terminal.start("up", "--game", "coerceo", "--data", str(tmp_path / "data"), "--port", "0")
    assert running.stdout is not None
    said = next(line for line in running.stdout if line.startswith("Hamle serves"))
    address = said.split(" at ")[1].split()[0]
    assert terminal.json("games", "--server", address)["games"]
    second = terminal.run("up", "--data", str(tmp_path / "data"), "--port", "0")
    assert second.returncode == 2
    assert "Another launcher" in second.stderr
    running.send_signal(signal.SIGINT)
    rest, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert "Stopped" in rest
    assert left_by(terminal) == []


def left_by(terminal: Terminal) -> list[psutil.Process]:
    """Processes that have the terminal's environment."""
    folder = terminal.environ["TMPDIR"]
    processes = psutil.process_iter(["environ"])
    return [process for process in processes if (process.info["environ"] or {}).get("TMPDIR") == folder]
