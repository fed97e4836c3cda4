"""Roles that the tests run as processes: `python -m tests.core.process.roles <role>`."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import time

from hamle.error.v1.error_pb2 import Reason

from core.errors import Refused
from core.process.parent import die_with_parent
from core.process.run import Process, run
from core.settings import Settings, SettingsInvalid, load


async def good(process: Process) -> None:
    print("ready", type(asyncio.get_running_loop()).__module__, flush=True)
    await process.stopping.wait()
    print("wound up", flush=True)


async def slow(process: Process) -> None:
    print("ready", flush=True)
    try:
        await asyncio.Event().wait()
    finally:
        print("cancelled", flush=True)


async def failing_task(process: Process) -> None:
    async def fail() -> None:
        raise ValueError("the task broke")

    process.keeper.keep("breaking", fail)
    await process.stopping.wait()
    print("wound up", flush=True)


async def stuck(process: Process) -> None:
    await failing_task(process)
    time.sleep(600)  # noqa: ASYNC251 - it blocks the loop


async def forgetful(process: Process) -> None:
    async def forgotten() -> None:
        raise ValueError("nobody looks")

    task = asyncio.create_task(forgotten(), name="a forgotten task")
    await asyncio.sleep(0)
    del task
    gc.collect()


async def crash(process: Process) -> None:
    raise ValueError("the role broke")


async def unfit(process: Process) -> None:
    raise Refused(Reason.REASON_STORE_UNFIT, "the store may throw keys away; set maxmemory-policy noeviction")


async def misset(process: Process) -> None:
    raise SettingsInvalid(["HAMLE_TLS_CERT: cannot be read"])


async def done(process: Process) -> None:
    return


def parent() -> None:
    """Starts a child that dies with it, prints the child's process id, and waits to be killed."""
    child = subprocess.Popen([sys.executable, "-m", __spec__.name, "child", str(os.getpid())], stdout=subprocess.PIPE)
    assert child.stdout is not None
    child.stdout.readline()
    print(child.pid, flush=True)
    time.sleep(60)


def child(parent_id: int) -> None:
    die_with_parent(parent_id)
    print("armed", flush=True)
    time.sleep(60)


if __name__ == "__main__":
    name = sys.argv[1]
    if name == "parent":
        parent()
    elif name == "child":
        child(int(sys.argv[2]))
    else:
        sys.exit(run(name, globals()[name], load(Settings, log_format="json", stop_grace_s=float(sys.argv[2]))))
