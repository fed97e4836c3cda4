"""Running the `hamle` command in a test."""

from __future__ import annotations

import asyncio
from typing import Any

from typer.testing import CliRunner

from cli.app import COMMANDS, make_app

APP = make_app(COMMANDS)


async def hamle(*arguments: str, stdin: str = "") -> Any:
    """The command's result, with `exit_code`, `stdout` and `stderr`; its standard streams are no terminal."""
    return await asyncio.to_thread(CliRunner().invoke, APP, list(arguments), input=stdin)
