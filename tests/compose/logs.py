"""What the roles' logs must not hold."""

from __future__ import annotations

import json
from collections.abc import Iterable


def objectionable(log: str, secrets: Iterable[str]) -> str:
    """What is wrong with a role's log of JSON lines: it is empty, tells a secret, or reports a fault of the role."""
    if not log.strip():
        return "it is empty"
    if any(secret in log for secret in secrets):
        return "a password or a token is in it"
    return next((f"a fault: {line}" for line in log.splitlines() if _fault(line)), "")


def _fault(line: str) -> bool:
    if not line.startswith("{"):
        # A process that fails before or after its logging is set up.
        return line.startswith("Traceback")
    return json.loads(line).get("level") in ("error", "critical")
