from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.member import ROOT

FIELD = "string name = 1;"


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def commit(repository: Path, field: str) -> None:
    proto = repository / "proto" / "thing" / "v1" / "thing.proto"
    proto.parent.mkdir(parents=True, exist_ok=True)
    proto.write_text(f'syntax = "proto3";\npackage thing.v1;\nmessage Thing {{ {field} }}\n')
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "a commit")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with the check itself and one commit."""
    folder = tmp_path / "repository"
    for path in ("deploy/__init__.py", "deploy/breaking.py", "buf.yaml", ".gitignore"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, folder / path)
    git(folder, "init", "-q")
    commit(folder, FIELD)
    return folder


def check(folder: Path) -> subprocess.CompletedProcess[str]:
    shutil.copytree(ROOT / "gen" / "include", folder / "gen" / "include", dirs_exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, str(folder / "deploy" / "breaking.py")]
    return subprocess.run(command, cwd=folder, env=clean, capture_output=True, text=True, check=False)


def test_a_first_commit_breaks_nothing(repository: Path) -> None:
    checked = check(repository)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "nothing to compare" in checked.stdout


@pytest.mark.parametrize(("field", "passes"), [(f"{FIELD} string more = 2;", True), ("int64 name = 1;", False)])
def test_a_field_may_come_and_none_may_change(repository: Path, field: str, passes: bool) -> None:
    commit(repository, field)
    checked = check(repository)
    assert (checked.returncode == 0) is passes, checked.stdout + checked.stderr


@pytest.mark.parametrize(("depth", "code", "said"), [("1", 1, "this clone is shallow"), ("2", 0, "")])
def test_a_shallow_clone_without_the_commit_before_is_no_proof(
    repository: Path, tmp_path: Path, depth: str, code: int, said: str
) -> None:
    commit(repository, f"{FIELD} string more = 2;")
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", depth, f"file://{repository}", str(shallow))
    checked = check(shallow)
    assert checked.returncode == code, checked.stdout + checked.stderr
    assert said in checked.stderr
