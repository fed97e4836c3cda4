"""The files that make the containers agree with each other and with the project."""

from __future__ import annotations

import re
import tomllib

import pytest

from tests.compose.commands import ROOT
from tests.compose.images import BASES, OFFLINE, defaults
from tests.compose.project import SERVICES

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
_HASH = re.compile(r"--hash=(sha256:[0-9a-f]{64})")
LOCKS = ("requirements-runtime.lock", "deploy/images/requirements-stubs.lock")


def _locked(path: str) -> dict[str, tuple[str, frozenset[str]]]:
    """Version and hashes of each package of a lock file."""
    entries = re.split(r"^(?=[A-Za-z0-9])", (ROOT / path).read_text(), flags=re.MULTILINE)[1:]
    pins = {entry: _PIN.match(entry) for entry in entries}
    return {pin[1]: (pin[2], frozenset(_HASH.findall(entry))) for entry, pin in pins.items() if pin is not None}


@pytest.mark.parametrize("lock", LOCKS)
def test_the_images_have_the_very_packages_that_the_tests_have(lock: str) -> None:
    tested, shipped = _locked("requirements.lock"), _locked(lock)
    assert shipped
    assert all(hashes for _, hashes in shipped.values())
    assert shipped.items() <= tested.items()


def test_the_image_has_every_dependency_and_no_tool() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    shipped = {name.lower().replace("_", "-") for name in _locked("requirements-runtime.lock")}
    needed = [re.split(r"[\[=<>~! ]", each)[0].lower() for each in project["project"]["dependencies"]]
    assert set(needed) <= shipped
    tools = {re.split(r"[\[=<>~! ]", each)[0].lower() for each in project["dependency-groups"]["dev"]}
    assert not tools & shipped


@pytest.mark.parametrize("lock", LOCKS)
def test_no_lock_names_a_registry(lock: str) -> None:
    assert "://" not in (ROOT / lock).read_text()


def test_prometheus_reads_the_page_of_every_role() -> None:
    config = (ROOT / "deploy/prometheus/prometheus.yml").read_text()
    targets = re.findall(r"([a-z0-9-]+):9100", config)
    assert sorted(targets) == sorted(set(SERVICES) - {"store", "prometheus"})


def test_the_compose_file_has_the_services_and_lets_every_base_image_be_chosen() -> None:
    compose = (ROOT / "docker-compose.yml").read_text()
    services = re.findall(r"^  ([a-z0-9-]+):", compose.partition("\nservices:\n")[2].partition("\nnetworks:")[0], re.M)
    assert sorted(services) == sorted(SERVICES)
    assert set(BASES) | {"BUILD_NETWORK"} <= defaults(compose).keys()
    assert OFFLINE.keys() == set(BASES) | {"BUILD_NETWORK"}
    for dockerfile, name in (("Dockerfile", "PYTHON_IMAGE"), ("redis.Dockerfile", "REDIS_IMAGE")):
        text = (ROOT / "deploy/images" / dockerfile).read_text()
        assert f"ARG {name}={defaults(compose)[name]}\n" in text


def test_only_what_the_images_are_made_of_reaches_their_builder() -> None:
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    let_in = {line[1:] for line in lines if line.startswith("!")}
    copied: set[str] = set()
    for dockerfile in (ROOT / "deploy/images").glob("*Dockerfile"):
        copied.update(re.findall(r"^COPY (?!--from)(\S+) \S+$", dockerfile.read_text(), re.M))
    assert copied
    for source in copied:
        assert any(f"{source}/".startswith(f"{each}/") or each.startswith(f"{source}/") for each in let_in), source
