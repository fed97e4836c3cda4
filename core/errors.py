"""Refusals: every call that is not done ends in one of the closed list of reasons."""

from __future__ import annotations

from collections.abc import Mapping

from hamle.error.v1.error_pb2 import Reason, Rejection


class Refused(Exception):
    """A call was refused and nothing was done.

    `reason` is of the closed list in `hamle/error/v1/error.proto`; the message says what was wrong, what was expected
    and what to do. `metadata` repeats that for machines, under the names that the reason's comment lists.
    """

    def __init__(
        self,
        reason: Reason.ValueType,
        message: str,
        metadata: Mapping[str, str] | None = None,
        *,
        retry_after_ms: int = 0,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = dict(metadata or {})
        self.retry_after_ms = retry_after_ms

    @property
    def name(self) -> str:
        """The reason as clients read it, `ILLEGAL_MOVE`."""
        return Reason.Name(self.reason).removeprefix("REASON_")

    def again(self) -> Refused:
        """The same refusal for another caller: an exception object carries one traceback."""
        return Refused(self.reason, self.message, self.metadata, retry_after_ms=self.retry_after_ms)

    def to_proto(self) -> Rejection:
        """As it travels between Hamle's own processes."""
        return Rejection(
            reason=self.reason, message=self.message, metadata=self.metadata, retry_after_ms=self.retry_after_ms
        )

    @classmethod
    def from_proto(cls, rejection: Rejection) -> Refused:
        """As it came from another process."""
        return cls(rejection.reason, rejection.message, rejection.metadata, retry_after_ms=rejection.retry_after_ms)


def shutting_down() -> Refused:
    """The refusal of what comes to a process that goes down, and of what it has not done yet: SHUTTING_DOWN."""
    return Refused(
        Reason.REASON_SHUTTING_DOWN,
        "the server is going down; watch again, or call again with the same request id: another one answers",
        retry_after_ms=200,
    )


def too_slow() -> Refused:
    """The end of a watch that is read more slowly than its match goes: WATCHER_TOO_SLOW."""
    return Refused(
        Reason.REASON_WATCHER_TOO_SLOW,
        "you read more slowly than the match goes; watch again from the last event that you have seen",
    )
