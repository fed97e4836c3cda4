"""Every ruling of the rules page has a test that is named by its number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent


def test_every_ruling_is_tested() -> None:
    files = [*HERE.glob("test_*.py"), *HERE.parent.glob("test_*.py")]
    names = [
        node.name
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    ]
    tested = {part for name in names for part in re.findall(r"(?<=_)[rh]\d+(?=_)", name)}
    wanted = {f"r{number}" for number in range(1, 58)} | {f"h{number}" for number in range(1, 9)}
    assert tested == wanted
