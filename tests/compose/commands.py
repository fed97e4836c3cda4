"""Commands of Docker, with bounds and with errors that say what went wrong."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

_TAIL_CHARACTERS: Final = 4_000


class CommandFailed(Exception):
    """A command did not do what it was to do; the message holds the end of what it said."""


def output(
    *command: str,
    within_s: float,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    stderr: bool = False,
    shielded: bool = False,
) -> str:
    """What a command writes to stdout, and after that to stderr if asked for.

    It runs in the repository's root, with `env` on top of the environment.

    A `shielded` one does not hear of Ctrl-C. Raises `CommandFailed`, also after `within_s` seconds.
    """
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **(env or {})},
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=within_s,
            check=False,
            start_new_session=shielded,
        )
    except FileNotFoundError as missing:
        raise CommandFailed(f"{command[0]} is not installed") from missing
    except subprocess.TimeoutExpired as late:
        said = f"{_text(late.stdout)}{_text(late.stderr)}"
        raise CommandFailed(
            f"{' '.join(command)}: not done after {within_s:.0f} s\n{said[-_TAIL_CHARACTERS:]}"
        ) from late
    if done.returncode != 0:
        said = f"{done.stdout}{done.stderr}"
        raise CommandFailed(f"{' '.join(command)}: exit code {done.returncode}\n{said[-_TAIL_CHARACTERS:]}")
    return done.stdout + (done.stderr if stderr else "")


def works(*command: str, within_s: float) -> bool:
    """Whether a command ends well."""
    try:
        output(*command, within_s=within_s)
    except CommandFailed:
        return False
    return True


def _text(said: bytes | str | None) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said or ""
