"""What goes to a gateway goes in batches that it can read, none of them much too large."""

from __future__ import annotations

from hamle.engine.v1.engine_pb2 import Answer, ExchangeResponse, Push
from hamle.error.v1.error_pb2 import REASON_MATCH_FULL
from hamle.match.v1.match_pb2 import Cursor as CursorMessage

from core.errors import Refused
from core.log.types import Cursor
from engines.kit.host.outbox import BATCH_BYTES, LIMIT_BYTES, Outbox

REFUSED = Refused(REASON_MATCH_FULL, "All seats are taken.", {"seat": "1"})
PLACE = Cursor(300, b"h" * 16)


async def batch(outbox: Outbox) -> ExchangeResponse:
    taken = await outbox.take()
    assert taken is not None
    return ExchangeResponse.FromString(taken)


async def test_answers_refusals_frames_and_ends_arrive_as_they_were_given() -> None:
    outbox = Outbox()
    outbox.answer(2**40, b"response")
    outbox.refuse(2, REFUSED)
    outbox.push([3, 300], PLACE, b"frame")
    outbox.push((4,), Cursor(0), b"")
    outbox.end([5], REFUSED)
    rejection = REFUSED.to_proto()
    assert await batch(outbox) == ExchangeResponse(
        answers=[Answer(id=2**40, response=b"response"), Answer(id=2, rejection=rejection)],
        pushes=[
            Push(ids=[3, 300], cursor=CursorMessage(seq=PLACE.seq, hash=PLACE.hash), frame=b"frame"),
            Push(ids=[4]),
            Push(ids=[5], rejection=rejection),
        ],
    )


async def test_frames_beyond_a_batch_come_with_the_next_in_order() -> None:
    outbox = Outbox()
    frame = bytes(BATCH_BYTES // 4)
    for id in range(10):
        outbox.push([id], PLACE, frame)
    outbox.answer(1, b"")
    outbox.close()
    batches = [await batch(outbox) for _ in range(3)]
    assert [[push.ids[0] for push in taken.pushes] for taken in batches] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert [len(taken.answers) for taken in batches] == [1, 0, 0]
    assert await outbox.take() is None


async def test_answers_beyond_a_batch_come_with_the_next_and_frames_after_them() -> None:
    outbox = Outbox()
    outbox.push([9], PLACE, b"frame")
    for id in range(1, 7):
        outbox.answer(id, bytes(BATCH_BYTES // 4))
    outbox.close()
    batches = [await batch(outbox) for _ in range(2)]
    assert [[answer.id for answer in taken.answers] for taken in batches] == [[1, 2, 3, 4], [5, 6]]
    assert [len(taken.pushes) for taken in batches] == [0, 1]
    assert await outbox.take() is None


async def test_an_outbox_that_nobody_empties_is_full() -> None:
    outbox = Outbox()
    outbox.answer(1, bytes(LIMIT_BYTES))
    assert not outbox.full
    outbox.answer(2, b"x")
    assert outbox.full
    assert await outbox.take() is None
