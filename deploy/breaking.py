"""Holds the protos against those of the commit before: nothing that clients rely on may change in a breaking way."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)


def main() -> int:
    """Exit code of `buf breaking`; 0 where there is no commit before, or it had no protos."""
    archive = _git("archive", "HEAD~1", "proto", "buf.yaml")
    if archive.returncode != 0:
        print("buf breaking: no commit before this one has protos, nothing to compare")
        return 0
    buf = Path(sys.executable).parent / "buf"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        # The messages that ours import are not in the repository; they are the same on both sides.
        subprocess.run(["cp", "-r", "--parents", "gen/include", folder], cwd=ROOT, check=True)
        return subprocess.run([str(buf), "breaking", "--against", folder], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
