"""What happens to a call whose engine is gone; never shown to a client."""

from __future__ import annotations


class ConnectionLost(Exception):
    """The stream to the engine has ended. Whether the call was done is unknown: ask again, with the same request id."""

    def __init__(self, replica: str, why: str) -> None:
        super().__init__(f"the stream to the engine {replica} ended: {why}")
        self.replica = replica
        self.why = why
