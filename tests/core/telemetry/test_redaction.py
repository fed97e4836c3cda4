from __future__ import annotations

from enum import Enum

import pytest
from hamle.event.v1.event_pb2 import Event
from hypothesis import given, settings
from hypothesis import strategies as st

from core.telemetry.redaction import MASK, redact, scrub

JWT = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl"
URLSAFE = "Zm9vYmFyYmF6-Zm9vYmFyYmF6_Zm9vYmFyYmF6aGk1"


SECRET_KEYS = """
    token access_token authorization Authorization secret match_secret seed entropy password store_password credential
    sealed_secret invite_code
"""


@pytest.mark.parametrize("key", SECRET_KEYS.split())
@pytest.mark.parametrize("value", ["hunter2", b"hunter2", 4711, ["hunter2"], {"deep": "hunter2"}])
def test_secret_keys_are_masked_whatever_they_hold(key: str, value: object) -> None:
    assert redact({key: value, "deep": {"deeper": [{key: value}]}}) == {key: MASK, "deep": {"deeper": [{key: MASK}]}}


@pytest.mark.parametrize("key", ["move", "moves", "hand", "cards", "view", "state", "choices"])
def test_what_a_game_may_hide_is_masked_but_counts_are_not(key: str) -> None:
    assert redact({key: "TRA:B2@4>6"}) == {key: MASK}
    assert redact({key: ["R7"]}) == {key: MASK}
    assert redact({key: 3}) == {key: 3}


def test_ordinary_values_are_kept() -> None:
    values = {"match_id": "07kq3", "seat": 1, "seq": 12, "trace_id": "ab" * 16, "ratio": 0.5, "ok": True, "none": None}
    assert redact(values) == values


class Colour(Enum):
    RED = "hunter2"


class Talkative:
    def __repr__(self) -> str:
        return "hunter2"


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (b"hunter2", "<7 bytes>"),
        (Colour.RED, "RED"),
        (Talkative(), "<Talkative>"),
        (Event(at_ms=4711), "<Event>"),
        ({Talkative}, ["<type>"]),
    ],
)
def test_objects_are_told_by_their_type_alone(value: object, told: object) -> None:
    assert redact({"thing": value}) == {"thing": told}


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f"got Bearer {URLSAFE}", URLSAFE),
        ("got bearer short", "short"),
        (f"token was {JWT}, refused", JWT),
        ("cannot reach redis://user:hunter2@host:6379/0", "hunter2"),
        ("cannot reach rediss://:hunter2@host", "hunter2"),
        ("Settings(store_password='hunter2', port=1)", "hunter2"),
        ('{"seed": "hunter2"}', "hunter2"),
        ("match_secret=hunter2;", "hunter2"),
        ("drew from " + "0a1b2c3d" * 8, "0a1b2c3d"),
        (f"credential file holds {URLSAFE}", URLSAFE),
    ],
)
def test_what_looks_like_a_credential_is_taken_out_of_texts(text: str, secret: str) -> None:
    assert secret not in scrub(text)
    assert MASK in scrub(text)


@pytest.mark.parametrize(
    "text",
    [
        "match 07kq3 is over after 41 events",
        "in test_a_store_that_is_gone_does_not_keep_a_replica_from_stopping_1",
        "hamle.engine.v1.EngineService/AcceptTailLoss",
        "trace 4bf92f3577b34da6a3ce929d0e0e4736, hash 00ff00ff00ff00ff00ff00ff00ff00ff",
        "redis://127.0.0.1:6379/0 does not answer",
    ],
)
def test_ordinary_texts_are_left_alone(text: str) -> None:
    assert scrub(text) == text


@settings(max_examples=40, deadline=None)
@given(
    st.recursive(
        st.text() | st.binary() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_any_structure_comes_out_as_plain_values(value: object) -> None:
    def plain(found: object) -> bool:
        if isinstance(found, dict):
            return all(isinstance(key, str) and plain(held) for key, held in found.items())
        if isinstance(found, list):
            return all(map(plain, found))
        return found is None or isinstance(found, str | int | float | bool)

    assert plain(redact({"thing": value}))
