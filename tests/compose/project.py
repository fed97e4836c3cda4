"""The compose project under test: brought up under a name of its own, disturbed, and taken down with all it made."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tests.compose.commands import CommandFailed, output, works

SERVICES: Final = (
    "store",
    "gateway-1",
    "gateway-2",
    "coerceo-1",
    "coerceo-2",
    "battleline-1",
    "itchyfeet-1",
    "tashkalar-1",
    "timekeeper",
    "prometheus",
)

_CRASHES: Final = 4
_SERVICE: Final = "com.docker.compose.service"
_KINDS: Final = {"container": ("ps", "--all"), "volume": ("volume", "ls"), "network": ("network", "ls")}


class Project:
    """One project. `env` are the variables of the compose file. All methods raise `CommandFailed`."""

    def __init__(self, name: str, env: Mapping[str, str]) -> None:
        self.name = name
        self._env = dict(env)
        self._compose = [*_compose(), "--project-name", name, "--file", "docker-compose.yml"]

    def build(self) -> None:
        """Builds both images of the project."""
        self._run("build", "store", "gateway-1", within_s=480)

    def up(self) -> None:
        """Creates and starts everything, from images that are there."""
        self._run("up", "--detach", "--no-build", within_s=180)

    def stop(self, service: str) -> None:
        """Stops a service in good order."""
        self._run("stop", service, within_s=90)

    def start(self, service: str) -> None:
        """Starts a stopped service again."""
        self._run("start", service, within_s=60)

    def restart(self, service: str) -> None:
        """Stops a service in good order and starts it again."""
        self._run("restart", service, within_s=150)

    def end(self, service: str) -> None:
        """Has a role's process end by itself, from inside: its container is expected to be started again."""
        self.python(service, "-c", "import os, signal; os.kill(1, signal.SIGTERM)")

    def python(self, service: str, *arguments: str) -> str:
        """What Python says to these arguments inside a role's container."""
        return output("docker", "exec", self._id(service), "python3", *arguments, within_s=60)

    def recreate(self, service: str) -> None:
        """Puts a new container in a service's place: what is not on a volume is gone."""
        self._run("up", "--detach", "--no-build", "--no-deps", "--force-recreate", service, within_s=150)

    def down(self) -> None:
        """Ends and removes all containers, networks and volumes of the project."""
        try:
            self._run("down", "--volumes", "--remove-orphans", "--timeout", "10", within_s=120, shielded=True)
        finally:
            for kind, found in self.left_over().items():
                force = ["--force"] if kind != "network" else []
                for each in found:
                    output("docker", kind, "rm", *force, each, within_s=60, shielded=True)

    def left_over(self) -> dict[str, list[str]]:
        """What there is of the project, by kind."""
        label = f"label=com.docker.compose.project={self.name}"
        return {
            kind: output("docker", *listing, "--quiet", "--filter", label, within_s=30, shielded=True).split()
            for kind, listing in _KINDS.items()
        }

    def inspect(self) -> dict[str, dict[str, Any]]:
        """What Docker says of each service's container."""
        containers = self.left_over()["container"]
        if not containers:
            return {}
        said = json.loads(output("docker", "inspect", *containers, within_s=30))
        return {each["Config"]["Labels"][_SERVICE]: each for each in said}

    def users(self, service: str) -> set[int]:
        """The user ids of all processes of a service, as the host sees them."""
        return user_ids(output("docker", "top", self._id(service), "-eo", "pid,uid,comm", within_s=30))

    def logs(self, service: str, tail: str = "all") -> str:
        """What a service's container has logged, or its last lines."""
        return output("docker", "logs", "--tail", tail, self._id(service), within_s=60, stderr=True)

    def wait_healthy(self, services: Iterable[str] = SERVICES, within_s: float = 180.0) -> None:
        """Waits until services are healthy by their own checks."""
        deadline = time.monotonic() + within_s
        while True:
            inspected = self.inspect()
            waiting = unhealthy(inspected, services)
            if not waiting:
                return
            crashing = [service for service in waiting if inspected.get(service, {}).get("RestartCount", 0) > _CRASHES]
            if crashing:
                raise CommandFailed(f"{', '.join(crashing)} ends again and again")
            if time.monotonic() > deadline:
                raise CommandFailed(f"not healthy after {within_s:.0f} s: {waiting}")
            time.sleep(0.5)

    def _id(self, service: str) -> str:
        found = self.inspect().get(service)
        if found is None:
            raise CommandFailed(f"there is no container of {service}")
        return str(found["Id"])

    def _run(self, *arguments: str, within_s: float, shielded: bool = False) -> None:
        output(*self._compose, *arguments, env=self._env, within_s=within_s, shielded=shielded)


def user_ids(top: str) -> set[int]:
    """The user ids in the output of `docker top CONTAINER -eo pid,uid,comm`."""
    return {int(line.split()[1]) for line in top.splitlines()[1:]}


def unhealthy(inspected: Mapping[str, Mapping[str, Any]], services: Iterable[str]) -> dict[str, str]:
    """Those of the services that are not healthy, each with what its check says."""
    states = {service: inspected[service]["State"] if service in inspected else {} for service in services}
    said = {service: state.get("Health", {}).get("Status", "not there") for service, state in states.items()}
    return {service: health for service, health in said.items() if health != "healthy"}


def _compose() -> list[str]:
    if works("docker", "compose", "version", within_s=30):
        return ["docker", "compose"]
    if shutil.which("docker-compose"):
        return ["docker-compose"]
    raise CommandFailed("neither `docker compose` nor `docker-compose` is installed")
