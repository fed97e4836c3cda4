"""`hamle up` as its users meet it: a command in a terminal, ended by Ctrl-C, by kill -9, and started again."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
import redis

from deploy.local.fleet import GAMES
from deploy.local.member import ROOT
from deploy.local.store import Store

HAMLE = Path(sys.executable).parent / "hamle"
PATIENCE_S = 60.0


class Up:
    """A `hamle up` over a data folder, from its first line on."""

    def __init__(self, data: Path) -> None:
        self.process = subprocess.Popen(
            [str(HAMLE), "up", "--data", str(data), "--port", "0"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.config = str(data.with_name("config"))
        self.said = ""
        self.children: list[psutil.Process] = []
        self.read_until("Starting store")

    def read_until(self, wanted: str) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said += line
            if wanted in line:
                return
        raise AssertionError(self.said)

    def wait_until_serving(self) -> None:
        self.read_until("Ctrl-C stops everything")
        serves = f"Hamle serves {', '.join(GAMES)} at "
        assert serves in self.said, self.said
        self.address = self.said.split(serves)[1].split()[0]
        self.look()

    def look(self) -> list[psutil.Process]:
        """Its processes of now."""
        self.children = psutil.Process(self.process.pid).children(recursive=True)
        return self.children

    def hamle(self, *arguments: str) -> str:
        done = subprocess.run(
            [str(HAMLE), *arguments, "--server", self.address],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, "HAMLE_CONFIG_DIR": self.config},
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def end(self, signum: signal.Signals) -> None:
        """Sends the signal, and waits until the launcher and all its processes are gone."""
        self.process.send_signal(signum)
        self.said += self.process.communicate(timeout=PATIENCE_S)[0]
        _, alive = psutil.wait_procs(self.children, timeout=PATIENCE_S)
        assert not alive


@pytest.fixture
def starting(tmp_path: Path) -> Iterator[Callable[[], Up]]:
    started: list[Up] = []

    def start() -> Up:
        started.append(Up(tmp_path / "data"))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()
        for child in each.children:
            if child.is_running():
                child.kill()


@pytest.fixture
def up(starting: Callable[[], Up]) -> Callable[[], Up]:
    def start() -> Up:
        launched = starting()
        launched.wait_until_serving()
        return launched

    return start


@pytest.mark.timeout(240)
def test_matches_are_kept_when_the_launcher_is_ended_or_killed(up: Callable[[], Up], tmp_path: Path) -> None:
    first = up()
    assert {"store", "engine", "gateway", "timekeeper"} <= {
        path.name.split("-")[0].removesuffix(".log") for path in (tmp_path / "data" / "logs").iterdir()
    }
    summary = json.loads(
        first.hamle("selfplay", "coerceo", "--matches", "1", "--seed", "3", "--json", "--option", "start=ocius")
    )
    assert (summary["matches"], summary["errors"]) == (1, 0)
    first.end(signal.SIGINT)
    assert first.process.returncode == 0
    keys = stored_logs(tmp_path)
    assert len(keys) == 1

    second = up()
    second.end(signal.SIGKILL)
    assert stored_logs(tmp_path) == keys

    third = up()
    third.end(signal.SIGTERM)
    assert stored_logs(tmp_path) == keys


def stored_logs(tmp_path: Path) -> dict[bytes, int]:
    """The logs in the data folder, with their lengths, as a server of the test's own finds them."""
    store = Store(tmp_path / "data" / "store", "always", tmp_path / "looking.log")
    store.start()
    try:
        with redis.Redis(port=store.port) as client:
            return {key: int(client.xlen(key)) for key in client.scan_iter("*:log")}
    finally:
        store.end()


@pytest.mark.timeout(240)
def test_a_second_launcher_over_the_same_data_is_told_so(up: Callable[[], Up], tmp_path: Path) -> None:
    first = up()
    second = subprocess.run(
        [str(HAMLE), "up", "--data", str(tmp_path / "data"), "--port", "0"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode == 2
    assert "Another launcher runs over" in second.stderr + second.stdout
    assert "Traceback" not in second.stderr
    first.end(signal.SIGINT)


@pytest.mark.timeout(240)
def test_a_role_that_dies_is_started_again(up: Callable[[], Up]) -> None:
    launched = up()
    engine = next(child for child in launched.children if "engines.coerceo" in command_of(child))
    engine.kill()
    psutil.wait_procs([engine], timeout=10)
    # The call waits for the new engine, or says that none is there yet.
    deadline = time.monotonic() + 90
    while True:
        found = json.loads(launched.hamle("games", "--json"))
        names = psutil.Process(launched.process.pid).children(recursive=True)
        again = [child for child in names if "engines.coerceo" in command_of(child) and child.pid != engine.pid]
        if again and found:
            break
        assert time.monotonic() < deadline
        time.sleep(0.2)
    launched.look()
    launched.end(signal.SIGINT)


@pytest.mark.timeout(240)
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_start_is_broken_off_while_an_engine_does_not_serve_yet(
    starting: Callable[[], Up], signum: signal.Signals
) -> None:
    launched = starting()
    while not (engines := [child for child in launched.look() if "engines.coerceo" in command_of(child)]):
        time.sleep(0.02)
    # It will never serve, so that the start lasts until it is broken off.
    engines[0].send_signal(signal.SIGSTOP)
    launched.look()
    launched.end(signum)
    assert launched.process.returncode == 0, launched.said
    assert "Stopped; all matches are kept" in launched.said


@pytest.mark.timeout(240)
def test_a_launcher_whose_output_nobody_reads_any_more_ends_everything_in_order(
    starting: Callable[[], Up], tmp_path: Path
) -> None:
    launched = starting()
    assert launched.process.stdout is not None
    launched.process.stdout.close()
    # It says next that all is up, and cannot.
    while launched.process.poll() is None:
        launched.children = psutil.Process(launched.process.pid).children(recursive=True) or launched.children
        time.sleep(0.05)
    assert launched.children
    assert not any(child.is_running() for child in launched.children)
    assert not (tmp_path / "data" / "store" / "server.json").exists()


@pytest.mark.timeout(240)
def test_a_start_is_broken_off_while_the_store_waits_for_another(starting: Callable[[], Up], tmp_path: Path) -> None:
    (tmp_path / "data" / "store").mkdir(parents=True)
    with (tmp_path / "data" / "store" / "server.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        launched = starting()
        launched.end(signal.SIGINT)
    assert launched.process.returncode == 0, launched.said
    assert "Stopped; all matches are kept" in launched.said


def command_of(process: psutil.Process) -> str:
    try:
        return " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return ""
