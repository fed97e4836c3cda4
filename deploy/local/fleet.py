"""A whole installation on this machine: store, engines, gateways, timekeepers, each a process of its own.

`hamle up`, the tests, the fault runs and the benchmarks all start this one.
"""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from types import TracebackType
from typing import Final, Self

from deploy.local.errors import StartFailed
from deploy.local.health import keeps_time, serves
from deploy.local.member import Member
from deploy.local.ports import free_port, require_free
from deploy.local.stopping import Stopping
from deploy.local.store import Store

GAMES: Final = ("coerceo", "battleline", "itchyfeet", "tashkalar")
"""What `hamle up` serves."""
_HEALTHY_S: Final = 90.0
_STOP_GRACE_S: Final = 2.0
_ALWAYS_SHORT: Final = "/tmp"  # noqa: S108 - it holds a folder of ours
_SOCKET_PATH_BYTES: Final = 107
_BELOW_BYTES: Final = len("/hamle-12345678/pygrpc-native-12345678/fallback.sock")


class AlreadyRunning(Exception):
    """Another launcher runs over the same data folder."""


@dataclass(frozen=True)
class Plan:
    """What to start. `fsync` is the embedded store's: `always` or `everysec`; `store_url` names another store.

    `port` is the first gateway's, 0 for a free one. `env` holds more settings for all roles.
    """

    data: Path
    games: Sequence[str] = ("coerceo",)
    engines: int = 1
    gateways: int = 1
    timekeepers: int = 1
    fsync: str = "always"
    store_url: str = ""
    grpc_server: str = "native"
    port: int = 0
    env: dict[str, str] = field(default_factory=dict)


class Fleet:
    """The processes of a plan. `with Fleet(plan) as fleet` starts them, waits until they serve, and ends them all.

    A start is broken off when `stopping` asks for it.
    """

    def __init__(self, plan: Plan, stopping: Stopping | None = None) -> None:
        self.plan = plan
        self._stopping = stopping or Stopping()
        self.store: Store | None = None
        self.engines: list[Member] = []
        self.gateways: list[Member] = []
        self.timekeepers: list[Member] = []
        self._lock = -1
        self._temporary = ""

    @property
    def roles(self) -> list[Member]:
        """All processes but the store."""
        return [*self.engines, *self.timekeepers, *self.gateways]

    @property
    def addresses(self) -> list[str]:
        """Where the gateways listen."""
        return [gateway.address for gateway in self.gateways]

    @property
    def store_url(self) -> str:
        """The store's URL."""
        return self.plan.store_url or (self.store.url if self.store else "")

    def start(self) -> None:
        """Starts everything and waits until timekeepers keep time, and all gateways serve all games.

        Raises `StartFailed`, `AlreadyRunning`, `Stopped`; nothing runs then.
        """
        plan = self.plan
        with usable(plan.data):
            plan.data.mkdir(parents=True, exist_ok=True)
            self._lock = _lock(plan.data)
            try:
                self._start()
            except BaseException:
                self.stop()
                raise

    def _start(self) -> None:
        plan = self.plan
        # What a killed process leaves in its temporary folder goes with the fleet.
        self._temporary = mkdtemp(prefix="hamle-", dir=_short(gettempdir()))
        if plan.port:
            require_free(plan.port, stopping=self._stopping)
        if not plan.store_url:
            self.store = Store(plan.data / "store", plan.fsync, self._log("store"), self._stopping)
            self.store.start()
        self.engines = [
            self.member(f"engine-{game}-{number}", f"engines.{game}")
            for game in plan.games
            for number in range(plan.engines)
        ]
        self.timekeepers = [self._timekeeper(number) for number in range(plan.timekeepers)]
        self.gateways = [
            self.member(f"gateway-{number}", "services.gateway", plan.port if number == 0 else 0)
            for number in range(plan.gateways)
        ]
        # The gateways come last: what has been announced by then they serve from their first moment on.
        for roles in ([*self.engines, *self.timekeepers], self.gateways):
            for role in roles:
                role.start()
            self.wait_healthy(among=roles)

    def _timekeeper(self, number: int) -> Member:
        # It takes no calls; its metrics page tells that it works.
        port = free_port()
        return self.member(f"timekeeper-{number}", "services.timekeeper", port, {"HAMLE_METRICS_PORT": str(port)})

    def _log(self, name: str) -> Path:
        return self.plan.data / "logs" / f"{name}.log"

    def member(self, name: str, module: str, port: int = 0, env: Mapping[str, str] | None = None) -> Member:
        """A process with the fleet's settings, and `env` on top of them; not started. `port` 0: a free one.

        Put it into `engines` and the like, and it is ended with the fleet.
        """
        port = port or free_port()
        return Member(name, ["module", module], self.settings(name, port, env), self._log(name), port)

    def settings(self, name: str, port: int, env: Mapping[str, str] | None = None) -> dict[str, str]:
        """The settings of a process, as environment variables; `env` on top."""
        plan = self.plan
        return {
            "HAMLE_STORE_URL": self.store_url,
            "HAMLE_DURABILITY": "fsynced" if plan.fsync == "always" else "written",
            "HAMLE_GRPC_SERVER": plan.grpc_server,
            "HAMLE_HOST": "127.0.0.1",
            "HAMLE_PORT": str(port),
            "HAMLE_INSTANCE": name,
            "HAMLE_STOP_GRACE_S": str(_STOP_GRACE_S),
            "HAMLE_LOG_FORMAT": "json",
            "TMPDIR": self._temporary,
            **plan.env,
            **(env or {}),
        }

    def wait_healthy(self, seconds: float = _HEALTHY_S, *, among: Sequence[Member] | None = None) -> None:
        """Waits until every role, or those `among` the given ones, says that it does its work.

        Raises `StartFailed`, `Stopped`.
        """
        deadline = time.monotonic() + seconds
        for role in self.roles if among is None else among:
            works = keeps_time if role in self.timekeepers else serves
            while not works(role.address):
                if not role.running:
                    raise role.failed("ended while starting")
                if time.monotonic() > deadline:
                    raise role.failed(f"does not work after {seconds:.0f} s")
                self._stopping.pause(0.05)

    def stop(self) -> None:
        """Ends all processes: the roles first, the store last; what does not end is killed."""
        for role in self.roles:
            # A process that was stopped by a signal must go on to be able to end.
            role.signal(signal.SIGCONT)
            role.signal(signal.SIGTERM)
        deadline = time.monotonic() + _STOP_GRACE_S + 1.5
        for role in self.roles:
            if not role.wait(max(0.05, deadline - time.monotonic())):
                role.kill()
        if self.store is not None:
            self.store.end()
        if self._temporary:
            rmtree(self._temporary, ignore_errors=True)
            self._temporary = ""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


@contextmanager
def usable(data: Path) -> Iterator[None]:
    """Raises `StartFailed` when the system refuses what the block does over the data folder: no space, say."""
    try:
        yield
    except OSError as error:
        raise StartFailed(
            f"Nothing can be started over {data}: {error}. Mend that, or choose another data folder."
        ) from error


def _short(folder: str) -> str:
    """The folder, or where its path is too long for sockets of gRPC in folders in it, /tmp."""
    return folder if len(os.fsencode(folder)) <= _SOCKET_PATH_BYTES - _BELOW_BYTES else _ALWAYS_SHORT


def _lock(data: Path) -> int:
    lock = os.open(data / "launcher.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise AlreadyRunning(f"Another launcher runs over {data}. Use it, end it, or choose another folder.") from None
    return lock


__all__ = ["AlreadyRunning", "Fleet", "Plan", "StartFailed"]
