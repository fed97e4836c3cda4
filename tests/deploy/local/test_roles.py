"""The roles as an operator starts them by hand."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from deploy.local.member import ROOT


@pytest.mark.parametrize("role", ["services.gateway", "services.timekeeper", "engines.coerceo"])
def test_wrong_settings_end_a_role_with_exit_code_2_and_a_sentence_for_each(role: str) -> None:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HAMLE_")}
    wrong = {"HAMLE_LOG_LEVEL": "loud", "HAMLE_PORT": "99999"}
    ended = subprocess.run(
        [sys.executable, "-m", role],
        cwd=ROOT,
        env={**clean, **wrong, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "gen")))},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (2, ""), ended.stderr
    assert [line.split()[0] for line in ended.stderr.splitlines()] == ["HAMLE_LOG_LEVEL", "HAMLE_PORT"]
