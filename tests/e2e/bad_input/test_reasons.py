"""The closed list of reasons is tested as a whole: one that is added without a test fails here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hamle.error.v1.error_pb2 import Reason

from core.rpc.status import CODES
from deploy.local.member import ROOT
from tests.e2e.bad_input.reasons import TOLD
from tests.e2e.bad_input.test_table import CASES

HERE: Final = Path(__file__).parent
ELSEWHERE: Final = {
    "DEADLINE_EXPIRED": "tests/services/gateway/exchange/test_exchange.py",
    "INTERNAL": "tests/core/rpc/test_calls.py",
    "MATERIAL_INVALID": "tests/engines/kit/test_materials.py",
    "MATERIAL_MISSING": "tests/engines/kit/test_materials.py",
    "RESIGN_FORBIDDEN": "tests/engines/kit/test_decide.py",
    "SHUTTING_DOWN": "tests/services/gateway/watch/test_watch.py",
    "WATCHER_TOO_SLOW": "tests/services/gateway/watch/test_slow.py",
}
"""Reasons that cannot be brought about here at will, or take another game, and the tests that bring them about."""
REASONS: Final = [name.removeprefix("REASON_") for name, number in Reason.items() if number]
# In a test a reason stands as text, compared or given, or as a name of the generated list.
_NAMED: Final = re.compile(r"\"([A-Z_]+)\"|\bREASON_([A-Z_]+)\b")
_NO_WITNESSES: Final = ("test_table.py", "test_anything.py", Path(__file__).name)


def named(path: Path) -> Iterator[str]:
    """The reasons that a source file names."""
    for text, constant in _NAMED.findall(path.read_text(encoding="utf-8")):
        yield text or constant


def brought_about() -> set[str]:
    """What the tests of this folder bring about: the tables by their rows, the others by what they compare with."""
    others = [path for path in HERE.glob("test_*.py") if path.name not in _NO_WITNESSES]
    return {case.reason for case in CASES} | {name for path in others for name in named(path)}


def test_every_reason_is_brought_about_by_a_test() -> None:
    assert [name for name in REASONS if name not in brought_about() and name not in ELSEWHERE] == []


def test_what_is_tested_elsewhere_is_tested_there_and_not_here() -> None:
    for name, path in ELSEWHERE.items():
        assert name in set(named(ROOT / path)), path
    assert not set(ELSEWHERE) & brought_about()


def test_the_reference_tells_of_every_reason_what_the_servers_do() -> None:
    assert list(TOLD) == REASONS
    assert {Reason.Name(number).removeprefix("REASON_"): code for number, code in CODES.items()} == {
        name: told.code for name, told in TOLD.items()
    }
