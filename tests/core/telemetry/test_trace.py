from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.telemetry import trace

SPEC = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
"""The example of https://www.w3.org/TR/trace-context/#traceparent-header."""


def test_the_example_of_the_standard_is_read_and_written() -> None:
    read = trace.parse(SPEC)
    assert read == trace.Trace(
        bytes.fromhex("4bf92f3577b34da6a3ce929d0e0e4736"), bytes.fromhex("00f067aa0ba902b7"), sampled=True
    )
    assert read.header() == SPEC


@pytest.mark.parametrize(
    "header",
    [
        "",
        "nonsense",
        SPEC.upper(),
        SPEC[:-1],
        SPEC + "-more",
        SPEC + "\n",
        "ff" + SPEC[2:],
        "00-" + "0" * 32 + "-00f067aa0ba902b7-01",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-" + "0" * 16 + "-01",
    ],
)
def test_what_the_standard_forbids_is_no_trace(header: str) -> None:
    assert trace.parse(header) is None


def test_later_versions_may_say_more() -> None:
    assert trace.parse("01" + SPEC[2:] + "-more") == trace.parse(SPEC)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_taken(header: str) -> None:
    trace.parse(header)


def test_a_new_trace_is_random_and_a_child_stays_in_it() -> None:
    one, two = trace.start(), trace.start()
    assert one.trace_id != two.trace_id
    assert trace.parse(one.header()) == one
    span = trace.child(one)
    assert span.trace_id == one.trace_id
    assert span.span_id != one.span_id


def test_ids_are_never_zero() -> None:
    drawn = iter([bytes(16), b"\x01" * 16, bytes(8), b"\x02" * 8])
    assert trace.start(lambda size: next(drawn)) == trace.Trace(b"\x01" * 16, b"\x02" * 8)
