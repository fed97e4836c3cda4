from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.telemetry import trace

SPEC = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
"""The example of https://www.w3.org/TR/trace-context/#traceparent-header."""
SPEC_ID = bytes.fromhex("4bf92f3577b34da6a3ce929d0e0e4736")


def test_the_example_of_the_standard_is_read() -> None:
    assert trace.parse(SPEC) == SPEC_ID


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
    assert trace.parse(header) == b""


def test_later_versions_may_say_more() -> None:
    assert trace.parse("01" + SPEC[2:] + "-more") == trace.parse(SPEC)


@settings(deadline=None)
@given(st.text())
def test_any_text_is_taken(header: str) -> None:
    trace.parse(header)


async def test_each_call_is_in_its_callers_trace_or_in_one_of_its_own() -> None:
    async def call(header: str | None) -> bytes:
        trace.enter(header)
        await asyncio.sleep(0)
        return trace.current()

    named, *own = await asyncio.gather(*map(call, [SPEC, None, None, "nonsense"]))
    assert named == SPEC_ID
    assert len({named, *own}) == 4
    assert trace.current() == b""
    for trace_id in own:
        assert trace.parse(trace.header(trace_id)) == trace_id
    assert trace.header(named) != trace.header(named)
