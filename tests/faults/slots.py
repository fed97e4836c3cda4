"""Where engines run."""

from __future__ import annotations

from tests.faults.plumbing import Pipe
from tests.faults.spawner import Child


class Slot:
    """A place for an engine: its port, the proxy through which gateways reach it, and the replica that runs there."""

    def __init__(self, number: int, pipe: Pipe) -> None:
        self.name = f"engine-{number}"
        self.number = number
        self.port = pipe.target
        self.pipe = pipe
        self.runner: Child | None = None
        self.replica = ""

    @property
    def settings(self) -> dict[str, str]:
        """What an engine in this place has to be told."""
        return {"HAMLE_ADVERTISE": self.pipe.address}

    @property
    def running(self) -> bool:
        return self.runner is not None and self.runner.running
