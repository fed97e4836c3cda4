"""A lost tail: events that the store had acknowledged and has forgotten, as after a failover to a lagging replica."""

from __future__ import annotations

from typing import NamedTuple

from hamle.error.v1 import error_pb2

from core.errors import Refused
from core.log.types import Cursor
from engines.kit.history import History


class Loss(NamedTuple):
    """Acknowledged events that the store has forgotten.

    `last_known` is the last one that anybody reported, `head` the log's head when that was found out.
    """

    last_known: int
    head: Cursor


def log_lost_tail(loss: Loss) -> Refused:
    """LOG_LOST_TAIL."""
    return Refused(
        error_pb2.REASON_LOG_LOST_TAIL,
        f"Events up to {loss.last_known} were acknowledged, but the store has forgotten some; its log now ends at "
        f"{loss.head.seq}. Play goes on once an operator accepts the loss.",
        {"seq": str(loss.last_known), "head_seq": str(loss.head.seq)},
    )


def shared_seq(one: History, other: History) -> int:
    """The last event that both histories have in common; 0: none."""
    seq = min(one.seq, other.seq)
    while seq and one.hash_at(seq) != other.hash_at(seq):
        seq -= 1
    return seq


def given_up(history: History, shared: int) -> bool:
    """Whether an operator has given up events after `shared`, so that the history goes on in another way."""
    return history.seq > 0 and any(first > shared for first, _ in history.state.life.tail_lost)
