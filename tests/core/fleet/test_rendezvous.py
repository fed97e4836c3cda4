from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.fleet.rendezvous import owner, ranked

SHARDS = range(64)
replicas = st.lists(st.text("abcdef0123456789", min_size=1, max_size=16), min_size=1, max_size=12, unique=True)


@settings(deadline=None)
@given(replicas, st.randoms())
def test_the_owner_does_not_depend_on_the_order_of_the_replicas(names: list[str], random: object) -> None:
    mixed = list(names)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert [owner(shard, names) for shard in SHARDS] == [owner(shard, mixed) for shard in SHARDS]


@settings(deadline=None)
@given(replicas, st.data())
def test_a_replica_that_goes_moves_only_its_shards(names: list[str], data: st.DataObject) -> None:
    gone = data.draw(st.sampled_from(names))
    left = [name for name in names if name != gone]
    for shard in SHARDS:
        before = owner(shard, names)
        if left and before != gone:
            assert owner(shard, left) == before


@settings(deadline=None)
@given(replicas)
def test_the_next_in_rank_owns_the_shard_when_those_before_are_gone(names: list[str]) -> None:
    for shard in SHARDS:
        order = ranked(shard, names)
        assert sorted(order) == sorted(names)
        assert [owner(shard, order[place:]) for place in range(len(order))] == order


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_shards_are_spread_evenly(count: int) -> None:
    shares = [0] * count
    rounds = 50
    for round_ in range(rounds):
        names = [f"{round_}-{number}" for number in range(count)]
        for shard in SHARDS:
            shares[names.index(owner(shard, names))] += 1
    mean = 64 * rounds / count
    assert all(0.8 * mean < share < 1.2 * mean for share in shares)


def test_another_process_gives_the_same_owners() -> None:
    names = ["a", "b", "c"]
    code = f"from core.fleet.rendezvous import owner; print([owner(s, {names!r}) for s in range(64)])"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert out.stdout.strip() == str([owner(shard, names) for shard in SHARDS])


def test_the_owners_of_this_release_stay_those_of_the_next() -> None:
    assert "".join(owner(shard, "abc") for shard in range(16)) == "abcbcabbcbcacabc"


def test_without_replicas_there_is_no_owner() -> None:
    with pytest.raises(ValueError):
        owner(0, [])
