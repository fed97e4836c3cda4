from __future__ import annotations

import re

from tests.docs import tables
from tests.docs.blocks import pages


def test_tables_are_those_of_the_code() -> None:
    for page in pages():
        text = page.read_text(encoding="utf-8")
        assert tables.with_tables(text) == text, f"{page.name} is behind the code; `{tables.COMMAND}` writes it anew"


def test_every_table_stands_on_a_page() -> None:
    found = [
        name for page in pages() for name in re.findall(r"<!-- table: (\S+) -->", page.read_text(encoding="utf-8"))
    ]
    assert sorted(found) == sorted(tables.TABLES)


def test_a_table_that_differs_is_written_anew() -> None:
    page = "before\n<!-- table: engine-settings -->\nold\n<!-- /table -->\nafter\n"
    now = tables.with_tables(page)
    assert "`HAMLE_CACHE_BYTES` | whole number, at least 1,048,576 |" in now
    assert (now.startswith("before\n<!-- table"), now.endswith("<!-- /table -->\nafter\n"), "old" in now) == (
        True,
        True,
        False,
    )
    assert tables.with_tables(now) == now
