"""Which base images the project runs on: the public ones, or where no registry answers such as are built here."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tests.compose.commands import ROOT, CommandFailed, output, works

BASES: Final = ("PYTHON_IMAGE", "REDIS_IMAGE", "PROMETHEUS_IMAGE")
OFFLINE: Final = {
    "PYTHON_IMAGE": "offline/python:3",
    "REDIS_IMAGE": "offline/redis:7",
    "PROMETHEUS_IMAGE": "offline/prometheus:2",
    "BUILD_NETWORK": "host",
}
OFFLINE_IMAGES: Final = ROOT.parent / "shared" / "tools" / "offline-images"

_DEFAULT = re.compile(r"\$\{([A-Z_]+):-([^}]*)\}")
_PULL_S: Final = 240.0
_BUILD_S: Final = 420.0


def defaults(compose_file: str) -> dict[str, str]:
    """The variables of a compose file with the values that they have when nobody sets them."""
    return dict(_DEFAULT.findall(compose_file))


def choose(say: Callable[[str], None], environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Variables for the compose file whose images are there. Raises `CommandFailed` when there is no way to have them.

    What `environ` names is taken as it is; else the compose file's own images are pulled, else offline ones are built.
    """
    if not works("docker", "version", within_s=30):
        say("no Docker engine answers")
        _offline_images(say)
    named = {name: environ[name] for name in BASES if environ.get(name)}
    public = defaults((ROOT / "docker-compose.yml").read_text()) | named
    if all(_present(public[name], say) for name in BASES):
        return {name: public[name] for name in BASES}
    say("the public images cannot be pulled; taking offline ones")
    return _offline(say) | named


def _present(image: str, say: Callable[[str], None]) -> bool:
    if works("docker", "image", "inspect", image, within_s=30):
        return True
    say(f"pulling {image}")
    return works("docker", "pull", "--quiet", image, within_s=_PULL_S)


def _offline(say: Callable[[str], None]) -> dict[str, str]:
    have = {name for name in BASES if works("docker", "image", "inspect", OFFLINE[name], within_s=30)}
    if not {"PYTHON_IMAGE", "REDIS_IMAGE"} <= have:
        _offline_images(say)
    if "PROMETHEUS_IMAGE" not in have:
        say(f"building {OFFLINE['PROMETHEUS_IMAGE']}")
        dockerfile = Path(__file__).with_name("prometheus.Dockerfile").read_text()
        base = f"PYTHON_IMAGE={OFFLINE['PYTHON_IMAGE']}"
        command = ["docker", "build", "--network", "host", "--build-arg", base, "-t", OFFLINE["PROMETHEUS_IMAGE"], "-"]
        output(*command, within_s=_BUILD_S, stdin=dockerfile)
    return dict(OFFLINE)


def _offline_images(say: Callable[[str], None]) -> None:
    if not OFFLINE_IMAGES.exists():
        raise CommandFailed(
            f"Neither a Docker engine with {', '.join(BASES)} nor {OFFLINE_IMAGES} is there. Start Docker where a "
            f"registry answers, or set {', '.join(BASES)} to images that this machine has."
        )
    say(f"running {OFFLINE_IMAGES.name}")
    output(str(OFFLINE_IMAGES), within_s=_BUILD_S)
