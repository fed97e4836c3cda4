"""Processes that are ready at once: `python -m tests.faults.spawner` imports everything first and forks for each.

A hundred processes die in a run; starting Python for each would take longer than all the rest. Nothing of gRPC has been
started when it forks, so each child begins as a new process does.

A line of standard input is a JSON object: `module` is the program, `env` comes on top of the environment, `log` is the
file for the child's output. The answer is a line with the child's process id.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from deploy.local.errors import StartFailed
from deploy.local.member import ROOT, Member

PROGRAMS: Final = ("tests.faults.gap_engine", "engines.coerceo", "services.gateway", "services.timekeeper")
"""What is imported beforehand."""
_LOOK_S = 0.002
_END_S = 10.0


class Child(Member):
    """A member of the fleet that the spawner forks.

    A file descriptor holds it: nobody waits for its end, and after that its number may be anybody's.
    """

    def __init__(
        self, spawner: Spawner, name: str, module: str, settings: Mapping[str, str], log: Path, port: int
    ) -> None:
        super().__init__(name, ["module", module], settings, log, port)
        self._spawner = spawner
        self._wanted = {"module": module, "env": dict(settings), "log": str(log)}
        self._pid = 0
        self._held = -1

    @property
    def pid(self) -> int:
        assert self._pid
        return self._pid

    @property
    def running(self) -> bool:
        if self._held < 0:
            return False
        try:
            signal.pidfd_send_signal(self._held, 0)
        except ProcessLookupError:
            os.close(self._held)
            self._held = -1
            return False
        return True

    def start(self) -> None:
        assert not self.running, self.name
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self._pid = self._spawner.fork(self._wanted)
        with suppress(ProcessLookupError):
            self._held = os.pidfd_open(self._pid)

    def signal(self, signum: signal.Signals) -> None:
        if self._held >= 0:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._held, signum)

    def wait(self, seconds: float) -> bool:
        limit = time.monotonic() + seconds
        while self.running:
            if time.monotonic() > limit:
                return False
            time.sleep(_LOOK_S)
        return True


class Spawner:
    """Its process, started by `start`. `close` ends it and all that it has forked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._children: list[Child] = []

    def start(self) -> None:
        """Starts it. It can fork once `ready` returns."""
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

    def ready(self) -> None:
        """Waits until everything is imported."""
        self._read()

    def member(self, name: str, module: str, settings: Mapping[str, str], log: Path, port: int) -> Child:
        """A process that runs a module of `PROGRAMS`; not started."""
        child = Child(self, name, module, settings, log, port)
        self._children.append(child)
        return child

    def fork(self, wanted: Mapping[str, Any]) -> int:
        """A new process; its id."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(wanted) + "\n")
        self._process.stdin.flush()
        return int(self._read())

    def close(self) -> None:
        if self._process is None:
            return
        for child in self._children:
            child.signal(signal.SIGKILL)
        for child in self._children:
            child.wait(_END_S)
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
    for program in PROGRAMS:
        module = import_module(program)
        if hasattr(module, "__path__"):
            import_module(f"{program}.__main__")
    # The kernel forgets children that have ended; nobody waits for them here.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if (threads := len(os.listdir("/proc/self/task"))) > 1:
        sys.exit(f"{threads} threads run already; a fork would lose them")
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    while line := sys.stdin.readline():
        wanted = json.loads(line)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            _become(wanted, parent)
        print(pid, flush=True)


def _become(wanted: Mapping[str, Any], parent: int) -> None:
    from core.process.parent import die_with_parent

    os.setsid()
    gc.unfreeze()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    die_with_parent(parent, signal.SIGKILL)
    nothing, log = os.open(os.devnull, os.O_RDONLY), os.open(wanted["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for target, source in ((0, nothing), (1, log), (2, log)):
        os.dup2(source, target)
    os.environ.update(wanted["env"])
    sys.modules.pop(f"{wanted['module']}.__main__", None)
    runpy.run_module(wanted["module"], run_name="__main__")
    sys.exit()


if __name__ == "__main__":
    _serve()
