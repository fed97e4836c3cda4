"""Bytes put together by hand are what protobuf itself reads and writes."""

from __future__ import annotations

import pytest
from hamle.engine.v1.engine_pb2 import Answer, ExchangeResponse, Push
from hamle.match.v1.match_pb2 import Cursor

from core.wireformat import VARINT, delimited, tag, varint


@pytest.mark.parametrize("n", [0, 1, 127, 128, 300, 2047, 2048, 2**14 - 1, 2**14, 2**21 - 1, 2**21, 2**32, 2**64 - 1])
def test_numbers(n: int) -> None:
    data = tag(Answer.DESCRIPTOR, "id", VARINT) + varint(n)
    assert Answer.FromString(data) == Answer(id=n)


@pytest.mark.parametrize("size", [0, 1, 127, 128, 2047, 2048, 70_000])
def test_fields_and_elements_follow_one_another(size: int) -> None:
    frame = bytes(size)
    cursor = Cursor(seq=7, hash=b"h" * 16)
    push = (
        tag(Push.DESCRIPTOR, "ids")
        + delimited(varint(3) + varint(300))
        + tag(Push.DESCRIPTOR, "cursor")
        + delimited(cursor.SerializeToString())
        + tag(Push.DESCRIPTOR, "frame")
        + delimited(frame)
    )
    pushes = tag(ExchangeResponse.DESCRIPTOR, "pushes") + delimited(push)
    element = Push(ids=[3, 300], cursor=cursor, frame=frame)
    assert ExchangeResponse.FromString(pushes * 2) == ExchangeResponse(pushes=[element, element])
