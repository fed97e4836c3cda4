"""A task that begins at once."""

import asyncio
import sys

import pytest

from core.process.eager import begin


async def test_runs_to_its_first_wait_at_once_where_python_can() -> None:
    steps: list[str] = []
    go_on = asyncio.Event()

    async def work() -> None:
        steps.append("begun")
        await go_on.wait()
        steps.append("done")

    task = begin(work(), asyncio.get_running_loop())

    assert steps == (["begun"] if sys.version_info >= (3, 12) else [])
    go_on.set()
    await task
    assert steps == ["begun", "done"]


async def test_an_error_before_the_first_wait_is_the_tasks_own() -> None:
    async def work() -> None:
        raise ValueError("at once")

    task = begin(work(), asyncio.get_running_loop())

    with pytest.raises(ValueError, match="at once"):
        await task
