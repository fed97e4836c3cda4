"""What waits to be written while a write is under way."""

from __future__ import annotations

from collections import deque


class Outbox:
    """Collects encoded elements; gives them out in batches of at most `most_bytes`, or of one larger element."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._waiting: deque[bytes] = deque()
        self._bytes = 0

    def put(self, element: bytes) -> None:
        """Adds an element at the end."""
        self._waiting.append(element)
        self._bytes += len(element)

    def take(self) -> tuple[bytes, int]:
        """The next batch, in the order of arrival, and how many elements it holds; nothing waits: `(b"", 0)`."""
        waiting = self._waiting
        if self._bytes <= self._most_bytes:
            batch, count = b"".join(waiting), len(waiting)
            waiting.clear()
            self._bytes = 0
            return batch, count
        parts = [waiting.popleft()]
        size = len(parts[0])
        while waiting and size + len(waiting[0]) <= self._most_bytes:
            parts.append(waiting.popleft())
            size += len(parts[-1])
        self._bytes -= size
        return b"".join(parts), len(parts)
