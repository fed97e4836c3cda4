from __future__ import annotations

import hiredis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.log import keys
from core.log.command import LIBRARY, check, pack
from core.log.types import START, Append, Cursor
from tests.core.log.logs import append_after, digest, match

HASHES = st.binary(min_size=16, max_size=16)
APPENDS = st.builds(
    Append,
    st.binary().map(keys.match_id_for),
    st.just(START) | st.builds(Cursor, st.integers(1, 2**53), HASHES),
    st.lists(st.tuples(st.binary(max_size=300), HASHES), min_size=1, max_size=5),
    st.none() | st.integers(0, 2**60),
    st.none() | st.binary(max_size=50),
    st.integers(0, 10**6),
    st.booleans(),
)


@given(APPENDS)
def test_a_command_is_what_a_general_client_would_send(append: Append) -> None:
    shard = int(append.match_id[:2])
    listing = "" if append.listing is None else b"+" + append.listing if append.listing else "-"
    arguments = [
        *("FCALL", LIBRARY.functions["append"], 6),
        *(keys.log_key(append.match_id), keys.feed_key(shard), keys.feed_position_key(shard)),
        *(keys.deadlines_key(shard), keys.listed_key(shard), keys.lost_key(append.match_id)),
        *(append.match_id, append.expected.seq, append.expected.hash, append.expire_s),
        *("" if append.deadline_ms is None else append.deadline_ms, listing, "accept" if append.accepts_loss else ""),
        *(part for record in append.records for part in record),
    ]
    check(append)
    assert pack(append) == hiredis.pack_command(tuple(arguments))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"match_id": "64" + "a" * 16}, "not a match id"),
        ({"match_id": "here}: is another key"}, "not a match id"),
        ({"expected": Cursor(1)}, "a hash of 16 bytes goes with seq 1"),
        ({"expected": Cursor(0, digest(0))}, "a hash of 16 bytes goes with seq 1"),
        ({"expected": Cursor(-1, digest(0))}, "a hash of 16 bytes goes with seq 1"),
        ({"records": []}, "at least one record"),
        ({"records": [(b"e", b"short")]}, "16 bytes, not 5"),
        ({"records": [(b"e", digest(1)), (b"e", b"")]}, "16 bytes, not 0"),
        ({"expire_s": -1}, "0 or more"),
        ({"deadline_ms": -1}, "0 or more"),
    ],
)
def test_an_append_that_cannot_be_meant_is_an_error(changes: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        check(append_after(match())._replace(**changes))  # type: ignore[arg-type]
