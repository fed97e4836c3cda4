from __future__ import annotations

import pytest

from tests.docs.blocks import Block, matches, parse, without_blocks

PAGE = """A page.

```sh run exit=1 needs=openssl
false
```

More.

```text output
…
```
"""


def test_blocks_are_found_with_their_words() -> None:
    assert list(parse(PAGE, "page.md")) == [
        Block("page.md", 3, "sh", {"run": "", "exit": "1", "needs": "openssl"}, "false\n"),
        Block("page.md", 9, "text", {"output": ""}, "…\n"),
    ]
    assert without_blocks(PAGE).split() == ["A", "page.", "More."]


def test_a_word_that_means_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match=r"page\.md:1"):
        list(parse("```sh runs\ntrue\n```\n", "page.md"))


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("one\ntwo\n", "one\ntwo\n", True),
        ("one\ntwo\n", "one\n", False),
        ("one\n", "one\ntwo\n", False),
        ("o…e\n", "one\n", True),
        ("o…e\n", "o\ne\n", False),
        ("…\ntwo\n", "two\n", True),
        ("…\ntwo\n", "zero\none\ntwo\n", True),
        ("one\n…\n", "one\ntwo\nthree", True),
        ("one\n…\n", "two\n", False),
        ("{\n…\nb: …\n}\n", "{\n  a: 1\n  b: 2\n}\n", True),
        ("(one) [two]\n", "(one) [two]\n", True),
    ],
)
def test_output_is_compared_but_for_the_ellipses(expected: str, printed: str, same: bool) -> None:
    assert matches(expected, printed) is same
