"""The gaps in which an engine can die between deciding an event and everybody having heard of it."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import NamedTuple


class Gap(Enum):
    """Where `tests.faults.gap_engine` dies, in the order in which an event passes."""

    BEFORE_SEND = "before-send"
    """Decided; the store has heard nothing."""
    BEFORE_ANSWER = "before-answer"
    """The store has it and has said so, its answer has not been read."""
    BEFORE_COMMIT = "before-commit"
    """Acknowledged; the engine's own memory does not have it yet."""
    BEFORE_TELLING = "before-telling"
    """In memory; neither the mover nor a watcher has heard of it."""
    BEFORE_REPLY = "before-reply"
    """Watchers have heard of it, the mover has no answer."""
    BEFORE_FRAMES = "before-frames"
    """The mover has the answer, no watcher has heard of it."""

    @property
    def stored(self) -> bool:
        """Whether the log holds the events of the append in which the engine died."""
        return self is not Gap.BEFORE_SEND


class Note(NamedTuple):
    """What a dying engine leaves: when (`time.monotonic()`), in which append, and the place of its last event."""

    at: float
    match_id: str
    seq: int
    hash: str

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self))

    @classmethod
    def read(cls, path: Path) -> Note | None:
        """None when there is none."""
        return cls(*json.loads(path.read_text())) if path.exists() else None
