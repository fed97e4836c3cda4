"""Whether the containers can do no more than they need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.compose.checklist import Checklist
from tests.compose.project import SERVICES, Project

PUBLISHED: Final = frozenset({"gateway-1", "gateway-2", "prometheus"})
"""The services that are reached from outside the project; all on loopback here."""


def check_confinement(project: Project, checks: Checklist) -> None:
    """Checks every service's container."""
    inspected = project.inspect()
    for service in SERVICES:
        users = project.users(service)
        checks.check(f"{service} does not run as root", "" if users and 0 not in users else f"its user ids are {users}")
        checks.check(f"{service} is confined", unconfined(service, inspected[service]))


def unconfined(service: str, inspected: Mapping[str, Any]) -> str:
    """What a container has that it should not have, as `docker inspect` shows it."""
    host = inspected["HostConfig"]
    if host["Privileged"] or not host["ReadonlyRootfs"]:
        return f"privileged: {host['Privileged']}, read-only root file system: {host['ReadonlyRootfs']}"
    if host["CapDrop"] != ["ALL"] or host["CapAdd"]:
        return f"capabilities dropped: {host['CapDrop']}, added: {host['CapAdd']}"
    ports = inspected["NetworkSettings"]["Ports"] or {}
    addresses = {binding["HostIp"] for bindings in ports.values() for binding in bindings or []}
    expected = {"127.0.0.1"} if service in PUBLISHED else set()
    return "" if addresses == expected else f"it is published at {addresses}, not {expected}"
