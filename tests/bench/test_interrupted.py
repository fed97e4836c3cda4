"""A measurement that is ended early leaves neither processes nor files behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil
import pytest

from deploy.local.member import ROOT

LASTING = {
    "append": ("--seconds", "600"),
    "moves": ("--matches", "2", "--runs", "1000"),
    "replay": ("--events", "50", "--runs", "1000000"),
    "watch": ("--watchers", "20", "--idle-s", "600"),
}


def families_of(folder: str) -> list[psutil.Process]:
    """Processes that were started with this folder for temporary files, and the servers that work in it."""
    found = []
    for process in psutil.process_iter(["environ", "cwd"]):
        environ, cwd = process.info["environ"] or {}, process.info["cwd"] or ""
        if environ.get("TMPDIR") == folder or cwd.startswith(folder):
            found.append(process)
    return found


@pytest.mark.timeout(240)
@pytest.mark.parametrize("path", LASTING)
def test_an_ended_measurement_leaves_nothing_behind(path: str) -> None:
    with TemporaryDirectory() as folder:
        command = [str(Path(sys.executable).parent / "hamle"), "bench", path, *LASTING[path]]
        running = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "TMPDIR": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        try:
            while not logs_that_appends_made(folder):
                assert running.poll() is None, running.communicate()
                time.sleep(0.05)
            running.send_signal(signal.SIGTERM)
            said, _ = running.communicate(timeout=60)
        finally:
            running.kill()
            running.wait()
        assert running.returncode == 128 + signal.SIGTERM, said
        assert os.listdir(folder) == []
        assert families_of(folder) == []


def logs_that_appends_made(folder: str) -> bool:
    """Whether the measurement is under way: something beside the functions is in the store's file."""
    return any(b":match:" in file.read_bytes() for file in Path(folder).glob("hamle-*/store/appendonlydir/*.aof"))
