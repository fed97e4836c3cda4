from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator

import psutil
import pytest

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def begin(role: str, grace_s: float = 30.0, **environ: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.core.process.roles", role, str(grace_s)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | environ,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def ready(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def events(err: str) -> list[str]:
    return [json.loads(line)["event"] for line in err.splitlines()]


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_the_role_wind_up(start: Start, signum: signal.Signals) -> None:
    process = start("good")
    assert "uvloop" in ready(process)
    process.send_signal(signum)
    out, err = process.communicate(timeout=60)
    assert "wound up" in out
    assert process.returncode == 0
    assert events(err) == ["stopping", "stopped"]


def test_a_role_that_does_not_end_within_the_grace_is_cancelled(start: Start) -> None:
    process = start("slow", 0)
    ready(process)
    process.terminate()
    out, err = process.communicate(timeout=60)
    assert "cancelled" in out
    assert process.returncode == 1
    assert "not ended within the grace; cutting it short" in events(err)


def test_a_second_signal_cuts_the_grace_short(start: Start) -> None:
    process = start("slow", 600)
    ready(process)
    process.terminate()
    assert process.stderr is not None
    assert "stopping" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert "cancelled" in out
    assert process.returncode == 1


def test_a_background_task_that_fails_ends_the_process_in_good_order(start: Start) -> None:
    process = start("failing_task")
    out, err = process.communicate(timeout=60)
    assert "wound up" in out
    assert process.returncode == 1
    assert "ValueError: the task broke" in err


def test_a_role_that_blocks_the_event_loop_after_a_background_task_failed_is_ended(start: Start) -> None:
    process = start("stuck", 0)
    out, _ = process.communicate(timeout=60)
    assert "wound up" in out
    assert process.returncode == 1


def test_a_role_that_crashes_is_logged_with_its_traceback(start: Start) -> None:
    process = start("crash")
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "ValueError: the role broke" in err
    assert "Traceback" in err


@pytest.mark.parametrize(("role", "told"), [("unfit", "maxmemory-policy noeviction"), ("misset", "HAMLE_TLS_CERT")])
def test_what_the_operator_must_change_is_told_without_a_traceback(start: Start, role: str, told: str) -> None:
    process = start(role)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert told in err
    assert "Traceback" not in err


def test_a_role_that_returns_ends_the_process(start: Start) -> None:
    process = start("done")
    process.communicate(timeout=60)
    assert process.returncode == 0


def test_a_metrics_port_that_is_taken_is_told(start: Start) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        process = start("done", HAMLE_METRICS_PORT=str(taken.getsockname()[1]))
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "HAMLE_METRICS_PORT" in err
    assert "Traceback" not in err


def test_a_misspelt_variable_is_told(start: Start) -> None:
    process = start("done", HAMLE_METRICS_PROT="0")
    _, err = process.communicate(timeout=60)
    assert "HAMLE_METRICS_PORT" in err


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_a_child_ends_with_a_killed_parent(start: Start) -> None:
    process = start("parent")
    child = psutil.Process(int(ready(process)))
    process.kill()
    process.communicate()
    child.wait(timeout=60)
    assert not child.is_running()


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is Linux's")
def test_a_child_whose_parent_had_gone_before_it_asked_ends_at_once(start: Start) -> None:
    process = start("child", 1)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM


def test_an_error_that_only_the_event_loop_hears_of_names_its_task(start: Start) -> None:
    _, err = start("forgetful").communicate(timeout=60)
    told = [json.loads(line) for line in err.splitlines()]
    error = next(line for line in told if line["event"] == "event loop error")
    assert error["task"] == "a forgotten task"
    assert error["work"] == "forgetful.<locals>.forgotten"
    assert "nobody looks" in error["exception"]
