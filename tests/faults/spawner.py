"""Engines that are ready at once: `python -m tests.faults.spawner` imports everything first and forks for each.

Dozens of engines die in a run; starting Python for each would take longer than all the rest. Nothing of gRPC has been
started when it forks, so each child begins as a new process does.

A line of standard input is a JSON object: `env` on top of the environment, and `log`, the file for the child's output.
The answer is a line with the child's process id.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from deploy.local.member import ROOT, StartFailed


class Child:
    """A process that the spawner has forked; it looks like a `Member`."""

    def __init__(self, pid: int, log: Path) -> None:
        self.pid = pid
        self.log = log

    @property
    def running(self) -> bool:
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def signal(self, signum: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, signum)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        while self.running:
            time.sleep(0.002)

    def failed(self, why: str) -> StartFailed:
        tail = self.log.read_bytes()[-2_000:].decode(errors="replace") if self.log.exists() else ""
        return StartFailed(f"the spawned engine {why}. The end of {self.log}:\n{tail}")


class Spawner:
    """Its process, started by `start`. `close` ends it and all that it has forked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._children: list[Child] = []

    def start(self) -> None:
        """Starts it and waits until it can fork."""
        path = os.pathsep.join([str(ROOT), str(ROOT / "gen")])
        self._process = subprocess.Popen(
            [sys.executable, "-m", "deploy.local.child", str(os.getpid()), "module", __name__],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self._read()

    def spawn(self, env: Mapping[str, str], log: Path) -> Child:
        """A new engine; `env` says which, as for `tests.faults.gap_engine`."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"env": dict(env), "log": str(log)}) + "\n")
        self._process.stdin.flush()
        child = Child(int(self._read()), log)
        self._children.append(child)
        return child

    def close(self) -> None:
        if self._process is None:
            return
        for child in self._children:
            child.signal(signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()

    def _read(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise StartFailed("the spawner has ended")
        return line


def _serve() -> None:
    from tests.faults import gap_engine

    # The kernel forgets children that have ended; nobody waits for them here.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    while line := sys.stdin.readline():
        wanted = json.loads(line)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            _become(gap_engine, wanted, parent)
        print(pid, flush=True)


def _become(engine: Any, wanted: Mapping[str, Any], parent: int) -> None:
    from core.process.parent import die_with_parent

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    die_with_parent(parent, signal.SIGKILL)
    nothing, log = os.open(os.devnull, os.O_RDONLY), os.open(wanted["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for target, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, target)
    os.environ.update(wanted["env"])
    engine.run()


if __name__ == "__main__":
    _serve()
