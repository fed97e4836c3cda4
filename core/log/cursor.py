"""Whether a cursor that somebody holds still names a place in the stored history."""

from __future__ import annotations

from enum import Enum

from hamle.error.v1.error_pb2 import REASON_HASH_MISMATCH, REASON_LOG_LOST_TAIL

from core.errors import Refused
from core.log.types import Cursor


class Verdict(Enum):
    """What became of a cursor's place."""

    OK = "ok"
    LOST_TAIL = "lost tail"
    HASH_MISMATCH = "hash mismatch"


def judge_cursor(cursor: Cursor, head: Cursor, stored_hash: bytes) -> Verdict:
    """Compare a cursor with the log: `head` is the stored head, `stored_hash` the state hash stored at `cursor.seq`.

    A cursor past the head means that the store forgot acknowledged events. A cursor without a hash accepts any history.
    `stored_hash` is looked at only when the cursor has a hash and is not past the head; empty for seq 0.
    """
    if cursor.seq > head.seq:
        return Verdict.LOST_TAIL
    if not cursor.hash or (cursor.seq > 0 and cursor.hash == stored_hash):
        return Verdict.OK
    return Verdict.HASH_MISMATCH


def check_cursor(cursor: Cursor, head: Cursor, stored_hash: bytes) -> None:
    """Raises `Refused`, LOG_LOST_TAIL or HASH_MISMATCH, when the cursor's place is not in the stored history."""
    verdict = judge_cursor(cursor, head, stored_hash)
    if verdict is Verdict.OK:
        return
    metadata = {"seq": str(cursor.seq), "head_seq": str(head.seq)}
    if verdict is Verdict.LOST_TAIL:
        raise Refused(
            REASON_LOG_LOST_TAIL,
            f"You hold the event at seq {cursor.seq}, but the log ends at seq {head.seq}: the server lost acknowledged "
            "events. Play stops until the operator accepts the loss with `hamle tail-lost`.",
            metadata,
        )
    raise Refused(
        REASON_HASH_MISMATCH,
        f"Your hash at seq {cursor.seq} is not the stored one: you hold another history. Watch again from seq 0.",
        metadata,
    )
