"""Refusals that more than one part of the host gives."""

from __future__ import annotations

from typing import Final

from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.telemetry import logs
from engines.kit.steps import FoldError

_SHOWN: Final = 40

_log = logs.get_logger("hamle.engine")


def match_not_found(match_id: str) -> Refused:
    """MATCH_NOT_FOUND."""
    shown = match_id[:_SHOWN]
    return Refused(
        error_pb2.REASON_MATCH_NOT_FOUND,
        f"There is no match {shown!r}. Check the id; a match that never started is kept for a day.",
        {"match_id": shown},
    )


def log_corrupt(match_id: str, error: FoldError) -> Refused:
    """LOG_CORRUPT, without a word of what the log holds; the operator is told by the log of this process."""
    _log.error("log corrupt", match_id=match_id, seq=error.seq)
    return Refused(
        error_pb2.REASON_LOG_CORRUPT,
        f"The log does not fold to its own hashes at event {error.seq}. Play has stopped; tell an operator.",
        {"match_id": match_id, "seq": str(error.seq)},
    )


def outcome_unknown() -> Refused:
    """STORE_DOWN, for an append that may have been carried out."""
    return Refused(
        error_pb2.REASON_STORE_DOWN,
        "The store was lost in mid-write. Whether it was done is unknown: retry with the same request id.",
        retry_after_ms=200,
    )


def seq_out_of_range(seq: int, head: int) -> Refused:
    """SEQ_OUT_OF_RANGE."""
    return Refused(
        error_pb2.REASON_SEQ_OUT_OF_RANGE,
        f"There is no event {seq}; the log holds 1 to {head}.",
        {"seq": str(seq), "head_seq": str(head)},
    )
