"""Somebody who reads a page with a terminal at hand and types what it says."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from deploy.local.fleet import Fleet
from deploy.local.member import ROOT
from deploy.local.ports import free_port
from tests.docs.blocks import Block

LONG_S: Final = 150.0
_NAMED: Final = re.compile(r"(127\.0\.0\.1:7410)|\b74[2-9]\d\b")
"""The address of `make play`, and the ports of servers that a page starts."""
_BEGIN: Final = "set -euo pipefail; [ ! -f .state ] || . ./.state\n"
_KEEP: Final = "\n{ declare -p | grep -v '^declare -[^ ]*r'; declare -f; } > .state\n"


class Failed(AssertionError):
    """A block did not do what its page says."""


class Reader:
    """Runs the blocks of one page in a folder of its own, on a fleet that stands for that of `make play`.

    The folder looks like the source tree: it has `.venv/bin` with the programs, and `data`.
    """

    def __init__(self, fleet: Fleet, folder: Path) -> None:
        self._folder = folder
        self._address = fleet.addresses[0]
        self._ports: dict[str, int] = {}
        programs = folder / ".venv" / "bin"
        programs.mkdir(parents=True)
        for name, module in (("python", ""), ("hamle", "-m cli.main"), ("grpcurl", "-m tests.docs.grpcurl")):
            _program(programs / name, f'exec "{sys.executable}" {module} "$@"')
        for path in ROOT.iterdir():
            if path.name not in (".venv", ".git", "data"):
                (folder / path.name).symlink_to(path)
        (folder / "data").symlink_to(fleet.plan.data)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("HAMLE_", "PYTEST_"))}
        self._environ = clean | {
            "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "gen", ROOT / "clients" / "python"))),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HAMLE_CONFIG_DIR": str(folder / "config"),
            "HAMLE_SERVER": self._address,
            "HAMLE_ADDRESS": self._address,
        }

    def run(self, block: Block) -> str:
        """Runs a block, and gives what it printed. Raises `Failed`."""
        command = ["bash", "-c", self._script(block), str(block)]
        stdin = block.words.get("stdin", "")
        count = int(block.words.get("terminals", "1"))
        running = [self._start(command) for _ in range(count)]
        try:
            for process in running:
                assert process.stdin is not None
                process.stdin.write(f"{stdin}\n" if stdin else "")
                process.stdin.close()
                process.stdin = None
            printed = [process.communicate(timeout=LONG_S) for process in running]
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{block} does not end") from late
        finally:
            for process in running:
                _end(process)
        for process, (stdout, stderr) in zip(running, printed, strict=True):
            if process.returncode != int(block.words.get("exit", "0")):
                raise Failed(f"{block} ends with {process.returncode}\n{block.text}\n{stdout}\n{stderr}")
        return printed[0][0]

    def can_run(self, block: Block) -> bool:
        """Whether the program that the block needs is there."""
        return "needs" not in block.words or shutil.which(block.words["needs"]) is not None

    def here(self, text: str) -> str:
        """The text with this fleet's address, and free ports for the others that it names."""
        return _NAMED.sub(lambda found: self._address if found[1] else self._port(found[0]), text)

    def _port(self, named: str) -> str:
        if named not in self._ports:
            self._ports[named] = free_port()
        return str(self._ports[named])

    def _script(self, block: Block) -> str:
        text = self.here(block.text)
        if block.language == "python":
            program = self._folder / f"{block.page.replace('/', '-')}.{block.line}.py"
            program.write_text(text, encoding="utf-8")
            return f"{_BEGIN}exec python {program}"
        return f"{_BEGIN}{text}{'' if 'terminals' in block.words else _KEEP}"

    def _start(self, command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            command,
            cwd=self._folder,
            env=self._environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # Whatever the block leaves running ends with it.
            start_new_session=True,
        )


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
