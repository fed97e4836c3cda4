"""One process of a local fleet: started, watched, signalled, ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from deploy.local.errors import StartFailed

ROOT: Final = Path(__file__).resolve().parents[2]

_TAIL_BYTES = 4_000


class Member:
    """A process of the fleet. `command` goes to `deploy.local.child`; its output goes to `log`."""

    def __init__(self, name: str, command: Sequence[str], env: Mapping[str, str], log: Path, port: int) -> None:
        self.name = name
        self.port = port
        self.log = log
        self.inherited: Sequence[int] = ()
        """File descriptors that the process keeps open."""
        self._command = [sys.executable, "-m", "deploy.local.child", str(os.getpid()), *command]
        self._env = {**os.environ, **env, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "gen")])}
        self._process: subprocess.Popen[bytes] | None = None
        self._log_begins = 0

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it lives, stopped by a signal or not."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Starts it; it must not be running."""
        assert not self.running, self.name
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._log_begins = log.tell()
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self.inherited,
                # Ctrl-C in the launcher's terminal must reach the launcher alone, which ends the others in order.
                start_new_session=True,
            )

    def signal(self, signum: signal.Signals) -> None:
        """Sends a signal to it, if it runs."""
        if self._process is not None and self.running:
            self._process.send_signal(signum)

    def kill(self) -> None:
        """Ends it as kill -9 does, and waits until it is gone."""
        self.signal(signal.SIGKILL)
        self.wait(10)

    def wait(self, seconds: float) -> bool:
        """Waits for its end; False when it still runs after so many seconds."""
        if self._process is None:
            return True
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def failed(self, why: str) -> StartFailed:
        """The error that it did not come up."""
        # What was written before this start may tell of other faults, mended since.
        tail = self.log.read_bytes()[self._log_begins :][-_TAIL_BYTES:] if self.log.exists() else b""
        return StartFailed(f"{self.name} {why}. The end of {self.log}:\n{tail.decode(errors='replace')}")
