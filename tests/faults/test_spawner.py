"""Processes that are forked instead of started anew are processes like others."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deploy.local.fleet import Fleet, Plan
from deploy.local.ports import free_port
from tests.faults.spawner import Child, Spawner
from tests.support.waiting import until

UP = {
    "engines.coerceo": "engine serves",
    "services.gateway": "gateway serves",
    "services.timekeeper": "timekeeper runs",
}
"""What the log of each says when it is up."""


@pytest.fixture(scope="module")
def spawner() -> Iterator[Spawner]:
    made = Spawner()
    made.start()
    made.ready()
    yield made
    made.close()


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    plan = Plan(tmp_path_factory.mktemp("spawner"), games=(), gateways=0, timekeepers=0)
    with Fleet(plan) as fleet:
        yield fleet


def child(spawner: Spawner, fleet: Fleet, folder: Path, module: str) -> Child:
    port = free_port()
    return spawner.member("child", module, fleet.settings("child", port), folder / "child.log", port)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("module", UP)
async def test_a_forked_process_ends_in_good_order_when_asked_and_can_be_started_again(
    spawner: Spawner, fleet: Fleet, tmp_path: Path, module: str
) -> None:
    forked = child(spawner, fleet, tmp_path, module)
    log = tmp_path / "child.log"
    assert not forked.running
    pids = set()
    for _ in range(2):
        log.write_text("")
        forked.start()
        pids.add(forked.pid)
        await until(lambda: UP[module] in log.read_text() or not forked.running)
        forked.signal(signal.SIGTERM)
        assert forked.wait(30), forked.failed("does not end")
        said = [json.loads(line) for line in log.read_text().splitlines()]
        assert {line["level"] for line in said} == {"info"}
    assert len(pids) == 2


def test_a_forked_process_is_gone_once_it_was_killed(spawner: Spawner, fleet: Fleet, tmp_path: Path) -> None:
    forked = child(spawner, fleet, tmp_path, "services.timekeeper")
    forked.start()
    assert forked.running
    forked.kill()
    assert not forked.running
    with pytest.raises(ProcessLookupError):
        os.kill(forked.pid, 0)


def test_a_signal_for_a_process_that_has_ended_meets_nobody_who_has_its_number_now(
    spawner: Spawner, fleet: Fleet, tmp_path: Path
) -> None:
    forked, other = (child(spawner, fleet, tmp_path, "services.timekeeper") for _ in range(2))
    forked.start()
    forked.kill()
    other.start()
    forked._pid = other.pid
    forked.signal(signal.SIGKILL)
    assert not other.wait(0.5)
    other.kill()


def test_all_that_was_forked_ends_with_the_spawner(fleet: Fleet, tmp_path: Path) -> None:
    spawner = Spawner()
    spawner.start()
    spawner.ready()
    forked = child(spawner, fleet, tmp_path, "services.timekeeper")
    forked.start()
    spawner.close()
    assert not psutil.pid_exists(forked.pid)
