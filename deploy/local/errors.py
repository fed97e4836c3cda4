"""What is told of a fleet that does not come up."""

from __future__ import annotations


class StartFailed(Exception):
    """A process did not come up; the message says which, and holds the end of its log."""
