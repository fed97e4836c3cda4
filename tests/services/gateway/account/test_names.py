from __future__ import annotations

import unicodedata

import pytest
from hamle.error.v1.error_pb2 import REASON_FIELD_INVALID
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Refused
from services.gateway import fields
from services.gateway.account.names import made_up

PRINTABLE = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=16)
HOSTILE = "\x00\n\r\t\x1b\x7f\u0085\u00ad\u200b\u200e\u200f\u202a\u202e\u2028\u2029\u2066\u2069\ufeff\ue000"


@given(PRINTABLE)
def test_printable_names_are_taken_in_one_normal_form(name: str) -> None:
    normal = unicodedata.normalize("NFC", name)
    if len(normal) <= 32:
        assert fields.name(name) == normal
        assert fields.name(fields.name(name)) == fields.name(name)


@pytest.mark.parametrize(
    "name", ["Ayşe", "李小龍", "Ωmega 7", "🦊", "José", "N. O'Neill-Smith", "x" * 32, "  spaced  "]
)
def test_names_of_people_are_taken(name: str) -> None:
    assert fields.name(name) == unicodedata.normalize("NFC", name.strip())


@given(st.text(max_size=8), st.sampled_from(HOSTILE), st.text(max_size=8))
def test_control_and_direction_characters_are_refused(before: str, hostile: str, after: str) -> None:
    with pytest.raises(Refused) as refused:
        fields.name("a" + before + hostile + after + "a")
    assert refused.value.reason == REASON_FIELD_INVALID
    assert refused.value.metadata["field"] == "name"


@pytest.mark.parametrize("name", ["   ", "x" * 33, "e" + "\u0301" * 6, "\u00a0"])
def test_blank_long_and_piled_up_names_are_refused(name: str) -> None:
    with pytest.raises(Refused) as refused:
        fields.name(name)
    assert refused.value.reason == REASON_FIELD_INVALID


@given(st.binary(min_size=4, max_size=4))
def test_made_up_names_are_names(random: bytes) -> None:
    assert fields.name(made_up(random)) == made_up(random)


def test_what_is_far_too_long_is_not_brought_into_its_normal_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes the square of the length: minutes for a row of marks as long as a message."""
    normalized = []

    def normalize(form: str, text: str) -> str:
        normalized.append(len(text))
        return text

    monkeypatch.setattr(unicodedata, "normalize", normalize)
    with pytest.raises(Refused):
        fields.name("a" + "\u0301\u0323" * 200_000)
    assert not normalized
