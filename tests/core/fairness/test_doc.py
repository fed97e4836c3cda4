"""docs/fairness.md is normative: its code and its vectors are run, and the package must agree with both."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.fairness.chain import GENESIS, chain
from core.fairness.draw import SeededDraw
from core.fairness.secret import commitment, game_seed, hash_key, seed_after_loss

PAGE = (Path(__file__).parents[3] / "docs" / "fairness.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"docs/fairness.md has {len(found)} {language} blocks, expected 1"
    return str(found[0])


def plain() -> Any:
    """The page's own code, which shares nothing with the package."""
    names: dict[str, Any] = {}
    exec(compile(block("python"), "docs/fairness.md", "exec"), names)
    return SimpleNamespace(**names)


PLAIN = plain()
VECTORS: dict[str, Any] = json.loads(block("json"))
SECRET = bytes.fromhex(VECTORS["secret"])
ENTROPIES = [bytes.fromhex(entropy) for entropy in VECTORS["entropies"]]
SEED = bytes.fromhex(VECTORS["seed"])


def number(value: int | str) -> int:
    return int(value, 16) if isinstance(value, str) else value


def test_values_from_the_secret_are_those_of_the_page() -> None:
    assert commitment(SECRET).hex() == PLAIN.commitment(SECRET).hex() == VECTORS["commitment"]
    assert hash_key(SECRET).hex() == PLAIN.hash_key(SECRET).hex() == VECTORS["hash_key"]
    assert game_seed(SECRET, ENTROPIES).hex() == PLAIN.seed(SECRET, ENTROPIES).hex() == VECTORS["seed"]
    assert game_seed(SECRET, ()).hex() == PLAIN.seed(SECRET, []).hex() == VECTORS["seed_without_seats"]


def test_seed_after_a_lost_tail_is_that_of_the_page() -> None:
    loss = VECTORS["loss"]
    assert seed_after_loss(SEED, loss["from"], loss["to"]).hex() == loss["seed"]
    assert PLAIN.seed_after_loss(SEED, loss["from"], loss["to"]).hex() == loss["seed"]


def test_draws_are_those_of_the_page() -> None:
    draw = SeededDraw(SEED, VECTORS["seq"])
    for vector in VECTORS["draws"]:
        if "shuffle" in vector:
            assert list(draw.shuffle(range(vector["shuffle"]), vector["purpose"])) == vector["value"]
        else:
            assert draw.below(number(vector["below"]), vector["purpose"]) == number(vector["value"])


def test_the_code_on_the_page_gives_the_vectors_on_the_page() -> None:
    counters: dict[str, int] = {}
    for vector in VECTORS["draws"]:
        purpose = vector["purpose"]
        at = SEED, VECTORS["seq"], purpose, counters.get(purpose, 0)
        value: list[int] | int
        if "shuffle" in vector:
            value, counters[purpose] = PLAIN.shuffle(*at, range(vector["shuffle"]))
            assert value == vector["value"]
        else:
            value, counters[purpose] = PLAIN.below(*at, number(vector["below"]))
            assert value == number(vector["value"])
        assert counters[purpose] == vector["counter_after"]


def test_the_vectors_show_values_thrown_away() -> None:
    counters = [vector["counter_after"] for vector in VECTORS["draws"] if vector["purpose"] == "big"]
    assert counters[-1] > len(counters)


def test_state_hashes_are_those_of_the_page() -> None:
    key = hash_key(SECRET)
    previous = GENESIS
    for vector in VECTORS["chain"]:
        assert vector["previous"] == previous.hex()
        event, canonical = bytes.fromhex(vector["event"]), bytes.fromhex(vector["canonical"])
        assert PLAIN.state_hash(key, previous, event, canonical).hex() == vector["hash"]
        previous = chain(key, previous, event, canonical)
        assert previous.hex() == vector["hash"]


@given(key=st.binary(min_size=1, max_size=64), parts=st.tuples(st.binary(), st.binary(max_size=300), st.binary()))
def test_any_state_hash_agrees_with_the_page(key: bytes, parts: tuple[bytes, bytes, bytes]) -> None:
    assert chain(key, *parts) == PLAIN.state_hash(key, *parts)


@given(secret=st.binary(min_size=32, max_size=32), entropies=st.lists(st.binary(max_size=32), max_size=4))
def test_any_seed_agrees_with_the_page(secret: bytes, entropies: list[bytes]) -> None:
    assert game_seed(secret, entropies) == PLAIN.seed(secret, entropies)


@given(
    seed=st.binary(min_size=32, max_size=32),
    seq=st.integers(1, 2**64 - 1),
    asked=st.lists(
        st.tuples(st.sampled_from(["deck", "die", "", "çekiliş"]), st.booleans(), st.integers(1, 70)), max_size=6
    ),
)
def test_any_draws_agree_with_the_page(seed: bytes, seq: int, asked: list[tuple[str, bool, int]]) -> None:
    draw = SeededDraw(seed, seq)
    counters: dict[str, int] = {}
    for purpose, shuffled, n in asked:
        at = seed, seq, purpose, counters.get(purpose, 0)
        if shuffled:
            order, counters[purpose] = PLAIN.shuffle(*at, range(n))
            assert list(draw.shuffle(range(n), purpose)) == order
        else:
            value, counters[purpose] = PLAIN.below(*at, n)
            assert draw.below(n, purpose) == value


@pytest.mark.parametrize("n", [1 << 255, (1 << 255) + 1, (1 << 256) - 1, 1 << 256])
def test_huge_ranges_agree_with_the_page(n: int) -> None:
    draw = SeededDraw(SEED, 1)
    counter = 0
    for _ in range(20):
        value, counter = PLAIN.below(SEED, 1, "big", counter, n)
        assert draw.below(n, "big") == value
