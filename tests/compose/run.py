"""`python -m tests.compose.run`: the compose project, brought up, played on, disturbed, proven, taken down.

Which base images: see `tests.compose.images`. The last line counts the checks; exit code 1 unless all passed.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import traceback
from secrets import token_hex
from typing import Final

from deploy.local.ports import free_port
from tests.compose import scenario
from tests.compose.checklist import Checklist
from tests.compose.commands import CommandFailed
from tests.compose.images import choose
from tests.compose.project import SERVICES, Project

LOG_LINES: Final = "40"


def main() -> int:
    """Runs everything; gives the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    checks = Checklist()
    try:
        site = scenario.Site(free_port(), free_port(), free_port(), token_hex(16))
        env = {**choose(checks.say), **site.env, "HAMLE_IMAGE": "hamle-test", "HAMLE_STORE_IMAGE": "hamle-test-store"}
        project = Project(f"hamletest{token_hex(4)}", env)
        checks.say("building the images")
        project.build()
        try:
            _play(project, site, checks)
        finally:
            _take_down(project, checks)
    except KeyboardInterrupt:
        checks.check("the run gets to its end", "it was interrupted")
    except CommandFailed as error:
        checks.check("the run gets to its end", str(error))
    print(checks.summary(), flush=True)
    return 0 if checks.ok else 1


def _play(project: Project, site: scenario.Site, checks: Checklist) -> None:
    try:
        checks.say(f"starting project {project.name}")
        project.up()
        asyncio.run(scenario.run(project, site, checks))
    except Exception as error:
        checks.check("the run gets to its end", "".join(traceback.format_exception(error)))
    if checks.failed:
        for service in SERVICES:
            _tell_log(project, service)


def _tell_log(project: Project, service: str) -> None:
    try:
        print(f"--- {service}\n{project.logs(service, LOG_LINES)}", flush=True)
    except CommandFailed as error:
        print(f"--- {service}: {error}", flush=True)


def _take_down(project: Project, checks: Checklist) -> None:
    # A second Ctrl-C does not leave half of it behind.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    checks.say("taking it down")
    project.down()
    left = {kind: found for kind, found in project.left_over().items() if found}
    checks.check("nothing is left behind", str(left) if left else "")


if __name__ == "__main__":
    sys.exit(main())
