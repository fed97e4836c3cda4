"""Everything that serves, as processes: engines and a gateway of each server kind, over a store that may be harmed."""

from __future__ import annotations

import json
import random
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from hamle.account.v1.account_pb2 import SignInGuestRequest
from hamle.account.v1.account_pb2_grpc import AccountServiceStub
from hamle.lobby.v1.lobby_pb2 import ListGamesRequest
from hamle.lobby.v1.lobby_pb2_grpc import LobbyServiceStub

from core.fleet.credential import KEY as CREDENTIAL_KEY
from deploy.local.member import Member
from deploy.local.ports import free_port
from tests.e2e.bad_input.engine import NATIVE
from tests.support.servers import StoreServer

KINDS: Final = ("native", "grpcio")
START_S: Final = 90.0
OPTIONS: Final = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 1 << 26)]
# On a busy machine a process that gets no time to answer is not one that has gone.
_PATIENT: Final = {"ENGINE_STALL_S": "30", "ENGINE_PROBE_S": "30", "CALL_TIMEOUT_S": "60"}
_ERRORS: Final = ("error", "critical")
Metadata = tuple[tuple[str, str], ...]


class Stack:
    """`with Stack(...)` starts it and waits until both gateways serve all games. `env` are settings without prefix."""

    def __init__(
        self,
        folder: Path,
        store: StoreServer,
        engines: Sequence[str],
        env: Mapping[str, str],
        gateways: Sequence[str] = KINDS,
    ) -> None:
        self.store = store
        self._folder = folder
        self._read: dict[str, int] = {}
        self._env = {
            "STORE_URL": store.url,
            "DURABILITY": "written",
            "HOST": "127.0.0.1",
            "STOP_GRACE_S": "1",
            "LOG_FORMAT": "json",
            "LOG_LEVEL": "debug",
            "TRUST_FORWARDED": "true",
            **_PATIENT,
            **env,
        }
        self._metrics: dict[str, int] = {}
        self.engines = {name: self._member(_module(name), name) for name in engines}
        self.gateways = {kind: self._member("services.gateway", kind, GRPC_SERVER=kind) for kind in gateways}

    def _member(self, module: str, name: str, **env: str) -> Member:
        port, self._metrics[name] = free_port(), free_port()
        env = {**self._env, "PORT": str(port), "METRICS_PORT": str(self._metrics[name]), "INSTANCE": name, **env}
        settings = {f"HAMLE_{key}": value for key, value in env.items()}
        return Member(name, ["module", module, name], settings, self._folder / f"{name}.log", port)

    @property
    def members(self) -> list[Member]:
        return [*self.engines.values(), *self.gateways.values()]

    @property
    def games(self) -> set[str]:
        return {name.removeprefix(NATIVE) for name in self.engines}

    @property
    def credential(self) -> Metadata:
        """What engines ask for."""
        return (("authorization", f"Bearer {self.store.call('GET', CREDENTIAL_KEY).decode()}"),)

    def __enter__(self) -> Self:
        try:
            for member in self.members:
                member.start()
            for member in self.members:
                self.wait_serving(member)
            for gateway in self.gateways.values():
                self._wait_games(gateway)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        for member in self.members:
            member.kill()

    def wait_serving(self, member: Member) -> None:
        """Waits until it says that it serves."""
        deadline = time.monotonic() + START_S
        while not serving(member.address):
            assert member.running, member.failed("ended while starting")
            assert time.monotonic() < deadline, member.failed("does not serve")
            time.sleep(0.05)

    def _wait_games(self, gateway: Member) -> None:
        deadline = time.monotonic() + START_S
        with grpc.insecure_channel(gateway.address, options=OPTIONS) as channel:
            token = AccountServiceStub(channel).SignInGuest(SignInGuestRequest(), metadata=stranger()).token.token
            who = (("authorization", f"Bearer {token}"),)
            while self.games - {info.game for info in LobbyServiceStub(channel).ListGames(_ALL, metadata=who).games}:
                assert time.monotonic() < deadline, gateway.failed("does not find the engines")
                time.sleep(0.05)

    def require_unharmed(self) -> None:
        """All processes live, and none has logged a fault since this was asked last."""
        for member in self.members:
            assert member.running, member.failed("has ended")
            assert not (faults := self.faults(member)), faults

    def faults(self, member: Member) -> list[str]:
        """The lines that tell of an error, and those that are no log lines, since this was asked last."""
        data = member.log.read_bytes()
        seen, self._read[member.name] = self._read.get(member.name, 0), data.rfind(b"\n") + 1
        # Not by `splitlines`: a request id may hold what Unicode calls the end of a line.
        lines = data[seen : self._read[member.name]].decode(errors="replace").split("\n")[:-1]
        return [line for line in lines if not line.startswith("{") or json.loads(line)["level"] in _ERRORS]

    def log(self, member: Member) -> str:
        return member.log.read_text(errors="replace")

    def metrics_page(self, member: Member) -> str:
        url = f"http://127.0.0.1:{self._metrics[member.name]}/metrics"
        with urllib.request.urlopen(url, timeout=30) as page:
            return str(page.read(), "utf-8")


_ALL: Final = ListGamesRequest()


def _module(engine: str) -> str:
    return "tests.e2e.bad_input.engine" if engine.startswith(NATIVE) else f"engines.{engine}"


def stranger() -> Metadata:
    """Metadata of somebody who comes from an address of his own, so that nobody's sign-ins are counted together."""
    return (("x-forwarded-for", ".".join(str(part) for part in random.SystemRandom().randbytes(4))),)


def serving(address: str) -> bool:
    with grpc.insecure_channel(address, options=OPTIONS) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=5)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
