"""The `hamle` command as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from deploy.local.member import ROOT

_LONG_S = 150.0


class Terminal:
    """Runs commands in an environment. Standard streams are pipes."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("HAMLE_")}
        self.environ = {**clean, **environ, "PYTHONUNBUFFERED": "1"}
        self.environ["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT, ROOT / "gen", ROOT / "clients" / "python")))

    def start(self, *arguments: str, **streams: Any) -> subprocess.Popen[str]:
        """The running command."""
        piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
        command = [sys.executable, "-m", "cli.main", *arguments]
        return subprocess.Popen(command, env=self.environ, cwd=ROOT, text=True, **piped)

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """The command's end."""
        running = self.start(*arguments)
        try:
            stdout, stderr = running.communicate(stdin, _LONG_S)
        except BaseException:
            running.kill()
            running.communicate()
            raise
        return subprocess.CompletedProcess(arguments, running.returncode, stdout, stderr)

    def json(self, *arguments: str, stdin: str = "") -> Any:
        """The one JSON object that the command prints."""
        result = self.run(*arguments, "--json", stdin=stdin)
        assert result.returncode == 0, result.stderr
        assert result.stdout.count("\n") == 1
        return json.loads(result.stdout)
