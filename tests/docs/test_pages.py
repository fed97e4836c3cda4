"""The blocks of the READMEs and docs/ are typed in, in order, and print what the pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.local.fleet import Fleet
from tests.docs.blocks import Block, blocks, matches, pages, title
from tests.docs.reader import Failed, Reader

RUNNABLE = [path for path in pages() if any("run" in block.words for block in blocks(path))]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("page", RUNNABLE, ids=title)
def test_page_does_what_it_says(page: Path, fleet: Fleet, tmp_path: Path) -> None:
    reader = Reader(fleet, tmp_path)
    ran = 0
    printed = None
    for block in blocks(page):
        if "run" in block.words:
            printed = reader.run(block) if reader.can_run(block) else None
            ran += printed is not None
        elif "output" in block.words and printed is not None:
            assert matches(reader.here(block.text), printed), f"{block}: the block before printed\n{printed}"
    assert ran


def test_a_block_that_fails_is_noticed(fleet: Fleet, tmp_path: Path) -> None:
    reader = Reader(fleet, tmp_path)
    assert reader.run(Block("page", 1, "sh", {}, "export MATCH=found\nWORD=kept\nname() { echo $MATCH; }\n")) == ""
    assert reader.run(Block("page", 2, "sh", {}, "name | cat\necho $WORD\n")) == "found\nkept\n"
    assert reader.run(Block("page", 3, "python", {}, "import os; print(os.environ['MATCH'])\n")) == "found\n"
    for text in ("false | cat\n", "exit 3\n", "echo $UNKNOWN\n"):
        with pytest.raises(Failed, match="page:4"):
            reader.run(Block("page", 4, "sh", {}, text))
