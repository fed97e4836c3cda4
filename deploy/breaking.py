"""Holds the protos against those of the commit before: nothing that clients rely on may change in a breaking way."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def _git(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)


def _is_shallow() -> bool:
    return _git("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def main() -> int:
    """Exit code of `buf breaking`; 0 where no commit before has protos, 1 where a shallow clone has not got it."""
    archive = _git("archive", "HEAD~1", "proto", "buf.yaml")
    if archive.returncode != 0:
        if _git("rev-parse", "--verify", "--quiet", "HEAD~1").returncode != 0 and _is_shallow():
            print(
                "buf breaking: this clone is shallow and has not got the commit before, so nothing can be compared. "
                "Fetch it with `git fetch --deepen=1`, or clone with --depth 2 or more.",
                file=sys.stderr,
            )
            return 1
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
